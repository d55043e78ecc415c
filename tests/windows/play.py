#!/usr/bin/env python3
"""Plays an example that opens a window: looks down, digs, builds, comes back, flies; and starts it where it cannot run.

Pictures are compared by meaning: where sky is, whether what one looks at changed and its surroundings did not, whether there are planks.
TERRANE_VIEWER is the program, TERRANE_SCREEN the folder with the display's pixels (tests/viewer/with_keyboard.sh).
"""
import os
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["TERRANE_VIEWER"]
SCREEN = os.path.join(os.environ["TERRANE_SCREEN"], "Xvfb_screen0")
PATIENCE_S = 120
SKY = (140, 191, 242)


def demand(holds, what):
    if not holds:
        sys.exit(f"{os.path.basename(PROGRAM)}: {what}")


def screen():
    """The pixels of the display: rows of (red, green, blue), every second pixel of every second row."""
    with open(SCREEN, "rb") as file:
        data = file.read()
    header = struct.unpack(">25I", data[:100])  # of an X window dump
    begin, width, height, pitch = header[0] + 12 * header[19], header[4], header[5], header[12]
    rows = []
    for y in range(0, height, 2):
        row = data[begin + y * pitch:begin + y * pitch + 4 * width]
        rows.append([(row[at + 2], row[at + 1], row[at]) for at in range(0, 4 * width, 8)])
    return rows


def part(picture, left, top, right, bottom):
    """The pixels of a part, given in hundredths of the picture."""
    height, width = len(picture), len(picture[0])
    return [picture[y][x] for y in range(height * top // 100, height * bottom // 100) for x in range(width * left // 100, width * right // 100)]


def is_near(a, b, by):
    return all(abs(a[i] - b[i]) <= by for i in range(3))


def sky_share(pixels):
    return sum(is_near(pixel, SKY, 6) for pixel in pixels) / len(pixels)


def plank_share(pixels):
    return sum(r > 90 and r - g > 25 and g - b > 25 for r, g, b in pixels) / len(pixels)


def difference(a, b):
    return sum(not is_near(p, q, 12) for p, q in zip(a, b)) / len(a)


def middle(picture):
    return part(picture, 40, 40, 60, 60)


def border(picture):
    return part(picture, 0, 0, 100, 15) + part(picture, 0, 85, 100, 100)


def settled():
    """The picture once it stays the same for a second."""
    until = time.monotonic() + PATIENCE_S
    before, steady = screen(), 0
    while steady < 5:
        demand(time.monotonic() < until, "its picture does not come to rest.")
        time.sleep(0.25)
        now = screen()
        steady = steady + 1 if now == before else 0
        before = now
    return before


def xdotool(*words):
    subprocess.run(["xdotool", *words], check=True)


def start(world):
    game = subprocess.Popen([PROGRAM, world], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE_S
    while sky_share(part(screen(), 0, 0, 100, 10)) < 0.9:
        demand(game.poll() is None, f"it ended: {game.stderr.read() if game.poll() is not None else ''}")
        demand(time.monotonic() < until, "it shows no sky.")
        time.sleep(0.1)
    picture = settled()
    demand(sky_share(part(picture, 0, 0, 100, 10)) > 0.9, "there is no sky at the top.")
    demand(sky_share(part(picture, 0, 90, 100, 100)) < 0.1, "there is no land at the bottom.")
    return game, picture


def look_down(from_picture):
    for _ in range(3):  # the pointer stays on the display
        xdotool("mousemove_relative", "--", "150", "100")
        time.sleep(0.3)
    picture = settled()
    demand(sky_share(part(picture, 0, 0, 100, 100)) < sky_share(part(from_picture, 0, 0, 100, 100)) - 0.2, "the mouse does not look down.")
    return picture


def click(button):
    xdotool("mousedown", button)
    time.sleep(0.2)
    xdotool("mouseup", button)
    return settled()


def leave(game):
    xdotool("key", "--delay", "0", "Escape")  # within one frame
    code = game.wait(PATIENCE_S)
    demand(code == 0, f"it ended with {code}: {game.stderr.read()}")


def digs_builds_and_comes_back(world):
    game, far = start(world)
    ground = look_down(far)
    dug = click("1")
    demand(difference(middle(ground), middle(dug)) > 0.03, "digging changes nothing in the middle.")
    demand(difference(border(ground), border(dug)) < 0.02, "digging changes the border of the picture.")
    built = click("3")
    demand(plank_share(middle(built)) > plank_share(middle(dug)) + 0.005, "no plank is built.")
    demand(difference(border(built), border(dug)) < 0.02, "building changes the border of the picture.")
    leave(game)
    game, far = start(world)
    again, until = look_down(far), time.monotonic() + PATIENCE_S
    while difference(middle(again), middle(built)) >= 0.03:  # on a busy machine a picture rests before all of it is loaded
        demand(time.monotonic() < until, "what was dug and built is not there again.")
        again = settled()
    xdotool("keydown", "d")
    time.sleep(1)
    xdotool("keyup", "d")
    demand(difference(border(settled()), border(again)) > 0.3, "it does not fly.")
    leave(game)


def refuses(why, world, word, **environment):
    """Starts it where it must end with a sentence."""
    surroundings = {name: value for name, value in {**os.environ, **environment}.items() if value}
    game = subprocess.run([PROGRAM, world], env=surroundings, capture_output=True, text=True, timeout=PATIENCE_S)
    demand(game.returncode == 1 and word in game.stderr, f"{why}: it ended with {game.returncode} and said '{game.stderr}'.")


def main():
    with tempfile.TemporaryDirectory() as folder:
        world = os.path.join(folder, "a.world")
        none = os.path.join(folder, "no.world")
        refuses("without a display", none, "window with OpenGL 3.3", DISPLAY="", WAYLAND_DISPLAY="", SDL_VIDEODRIVER="x11")
        refuses("without OpenGL 3.3", none, "window with OpenGL 3.3", MESA_GL_VERSION_OVERRIDE="2.1")
        demand(not os.path.exists(none), "it made a world without a window.")
        with open(none, "w", encoding="utf-8") as file:
            file.write("This is no world.")
        refuses("with a file that is no world", none, ".")
        with open(none, encoding="utf-8") as file:
            demand(file.read() == "This is no world.", "it changed a file that is no world.")
        digs_builds_and_comes_back(world)


if __name__ == "__main__":
    main()
