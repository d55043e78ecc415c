"""A headless Chromium, by the WebDriver protocol (https://www.w3.org/TR/webdriver2/) over plain HTTP."""
import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'


class Browser:
    """Draws on the processor. A folder keeps what pages store, so that a second browser finds it. Ends with its block."""

    def __init__(self, width=1280, height=720, folder=None, is_phone=False, arguments=()):
        self.own_folder = None if folder else tempfile.mkdtemp(prefix='terrane-browser-')
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(['chromedriver', f'--port={self.port}'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        options = {'args': ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader',
                            '--enable-unsafe-swiftshader', '--hide-scrollbars', f'--user-data-dir={folder or self.own_folder}',
                            f'--window-size={width},{height}', *arguments]}
        if is_phone:
            options['mobileEmulation'] = {'deviceMetrics': {'width': width, 'height': height, 'pixelRatio': 2.0, 'touch': True}}
        try:
            self.wait_for_driver()
            wanted = {'capabilities': {'alwaysMatch': {'goog:chromeOptions': options, 'goog:loggingPrefs': {'browser': 'ALL'}}}}
            self.session = self.call('POST', '/session', wanted, 120)['sessionId']
            self.send('POST', '/timeouts', {'script': 120000, 'pageLoad': 120000})
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.session:
            try:
                self.send('DELETE', '')
            except (OSError, RuntimeError):
                pass  # it has ended
        self.driver.terminate()
        self.driver.wait()
        if self.own_folder:
            shutil.rmtree(self.own_folder, ignore_errors=True)

    def kill(self):
        """Kills the driver and all processes of the browser at once, as a crash of the machine's session would."""
        for process in descendants(self.driver.pid) + [self.driver.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.driver.wait()
        self.session = None

    def renderer_bytes(self):
        """@return memory of the largest process that runs a page"""
        return max(resident_bytes(each) for each in descendants(self.driver.pid) if is_renderer(each))

    def wait_for_driver(self):
        for _ in range(200):
            try:
                if self.call('GET', '/status')['ready']:
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError('chromedriver does not answer')

    def call(self, method, path, body=None, seconds=180):
        request = urllib.request.Request(f'http://127.0.0.1:{self.port}{path}', method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)['value']['message'].split('\n')[0]) from None

    def send(self, method, path, body=None):
        return self.call(method, f'/session/{self.session}{path}', body)

    def open(self, address):
        self.send('POST', '/url', {'url': address})

    def run(self, script, *arguments):
        """Runs a function's body in the page; it may return a promise."""
        return self.send('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def cdp(self, command, **parameters):
        """@return what https://chromedevtools.github.io/devtools-protocol/ says"""
        return self.send('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    @contextlib.contextmanager
    def injected(self, script):
        """While the block lasts, each page that is opened runs a script before its own."""
        made = self.cdp('Page.addScriptToEvaluateOnNewDocument', source=script)
        try:
            yield
        finally:
            self.cdp('Page.removeScriptToEvaluateOnNewDocument', identifier=made['identifier'])

    def press(self, selector):
        """Clicks an element in its middle, as a user does."""
        self.send('POST', f'/element/{self.element(selector)}/click', {})

    def give_file(self, selector, path):
        self.send('POST', f'/element/{self.element(selector)}/value', {'text': path})

    def element(self, selector):
        """@param selector  of CSS, or an XPath that begins with //"""
        using = 'xpath' if selector.startswith('//') else 'css selector'
        return self.send('POST', '/element', {'using': using, 'value': selector})[ELEMENT]

    def wait(self, what, script, seconds=60):
        """Waits until a script's value is true. @return the value"""
        end = time.monotonic() + seconds
        while True:
            value = self.run(f'return {script}')
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f'{what}: not within {seconds} s. The page says: {self.text()} {self.log()[-5:]}')
            time.sleep(0.1)

    def text(self):
        return self.run('return document.body ? document.body.innerText.slice(0, 400) : ""')

    def log(self):
        """What the page wrote to its console since the last call."""
        return [entry['message'] for entry in self.send('POST', '/se/log', {'type': 'browser'})]

    def picture(self):
        """@return a PNG of the window"""
        return base64.b64decode(self.send('GET', '/screenshot'))

    def pixels(self, selector, width, height):
        """@return [width * height] (red, green, blue) of a canvas, scaled down, from the top"""
        values = self.run('''return new Promise(resolve => requestAnimationFrame(() => {
            const [selector, width, height] = arguments;
            const to = Object.assign(document.createElement("canvas"), {width, height}), paper = to.getContext("2d");
            paper.drawImage(document.querySelector(selector), 0, 0, width, height);
            resolve([...paper.getImageData(0, 0, width, height).data]);
        }));''', selector, width, height)
        return [tuple(values[i:i + 3]) for i in range(0, len(values), 4)]

    def act(self, *inputs):
        self.send('POST', '/actions', {'actions': list(inputs)})

    def hold_key(self, key, seconds):
        self.act({'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyDown', 'value': key},
                                                           {'type': 'pause', 'duration': int(seconds * 1000)},
                                                           {'type': 'keyUp', 'value': key}]})

    def click(self, x, y, button=0, seconds=0.05, kind='mouse'):
        self.act({'type': 'pointer', 'id': kind, 'parameters': {'pointerType': kind}, 'actions': [
            {'type': 'pointerMove', 'x': int(x), 'y': int(y), 'duration': 0}, {'type': 'pointerDown', 'button': button},
            {'type': 'pause', 'duration': int(seconds * 1000)}, {'type': 'pointerUp', 'button': button}]})


def resident_bytes(process):
    """@return memory of a process, with what it shares"""
    with open(f'/proc/{process}/statm', encoding='utf-8') as statm:
        return int(statm.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def is_renderer(process):
    with open(f'/proc/{process}/cmdline', encoding='utf-8', errors='replace') as line:
        return '--type=renderer' in line.read()


def descendants(process):
    """@return ids of all processes that a process has started, directly or not"""
    children = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError), open(f'/proc/{name}/stat', encoding='utf-8', errors='replace') as stat:
            parent = int(stat.read().rpartition(')')[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    found, rest = [], [process]
    while rest:
        of_one = children.get(rest.pop(), [])
        found += of_one
        rest += of_one
    return found


def is_there():
    return bool(shutil.which('chromedriver') and (shutil.which('chromium') or os.path.exists('/usr/bin/chromium')))
