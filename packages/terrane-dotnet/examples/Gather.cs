// As packages/bench/gather.c.
using System;
using System.Diagnostics;
using Terrane;
using Terrane.Native;

internal static class Gather
{
    private static int Main()
    {
        using (var store = new Store())
        using (Reader reader = store.CreateReader("gather"))
        {
            for (int i = 0; i < 33 * 33 * 33; i++)
            {
                store.Insert(i % 33 - 16, i / 33 % 33 - 16, i / 33 / 33 - 16, 1);
            }
            var coords = new TrnCoord[33 * 33 * 33];
            var box = new TrnBox { min = new TrnCoord { x = -16, y = -16, z = -16 }, max = new TrnCoord { x = 16, y = 16, z = 16 } };
            var times = new long[201];
            long sum = 0;
            for (int i = 0; i < times.Length; i++)
            {
                long began = Stopwatch.GetTimestamp();
                using (reader.Read())
                {
                    int count = reader.Gather(box, coords);
                    sum += coords[count - 1].x;
                }
                times[i] = Stopwatch.GetTimestamp() - began;
            }
            Array.Sort(times);
            Console.WriteLine("coords {0}", sum == 1 ? 0 : times[times.Length / 2] * (1000000000L / Stopwatch.Frequency));
            return 0;
        }
    }
}
