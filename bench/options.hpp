/// What every topic of terrane-bench is told on the command line.
#pragma once

class OutputFile;

/// Files are open already; NULL where none was asked for.
struct BenchOptions {
    bool quick = false;
    OutputFile *json = nullptr;
    OutputFile *csv = nullptr;
    OutputFile *plot = nullptr;
};
