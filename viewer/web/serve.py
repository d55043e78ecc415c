#!/usr/bin/env python3
"""Serves build/web with the two headers that a browser wants before it gives a page threads. Usage: serve.py [--port N] [FOLDER]"""
import argparse
import functools
import http.server
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'build', 'web')


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of one folder, compressed if NAME.gz lies next to NAME."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, '.wasm': 'application/wasm', '.js': 'text/javascript'}
    is_isolated = True
    is_quiet = False

    def end_headers(self):
        if self.is_isolated:
            self.send_header('Cross-Origin-Opener-Policy', 'same-origin')
            self.send_header('Cross-Origin-Embedder-Policy', 'require-corp')
        self.send_header('Cache-Control', 'no-cache')
        super().end_headers()

    def send_head(self):
        path = self.translate_path(self.path)
        if 'gzip' in self.headers.get('Accept-Encoding', '') and os.path.isfile(path + '.gz'):
            file = open(path + '.gz', 'rb')
            self.send_response(200)
            self.send_header('Content-Type', self.guess_type(path))
            self.send_header('Content-Encoding', 'gzip')
            self.send_header('Content-Length', str(os.fstat(file.fileno()).st_size))
            self.end_headers()
            return file
        return super().send_head()

    def log_message(self, format, *args):
        if not self.is_quiet:
            super().log_message(format, *args)


def server(folder, port=0, is_isolated=True, is_quiet=True):
    """A server of a folder on this machine alone. Port 0: any that is free."""
    kind = type('Handler', (Handler,), {'is_isolated': is_isolated, 'is_quiet': is_quiet})
    return http.server.ThreadingHTTPServer(('127.0.0.1', port), functools.partial(kind, directory=folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', nargs='?', default=os.path.normpath(ROOT))
    parser.add_argument('--port', type=int, default=8000)
    parser.add_argument('--no-isolation', action='store_true', help='without the headers: the page runs on one thread')
    options = parser.parse_args()
    if not os.path.isfile(os.path.join(options.folder, 'index.html')):
        sys.exit(f'serve.py: {options.folder} has no page; tools/web.sh builds it.')
    with server(options.folder, options.port, not options.no_isolation, False) as made:
        print(f'http://127.0.0.1:{made.server_address[1]}/  (Ctrl-C ends)', flush=True)
        try:
            made.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == '__main__':
    main()
