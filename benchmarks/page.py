"""How quick and light the page is on this machine, with a processor made two and four times slower.

    python -m benchmarks.page

Each run has a browser profile of its own, so that nothing is kept from the run before. A run is
over when a press of the entrance's main button has been carried out.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from itertools import chain, product
from pathlib import Path

from playwright.sync_api import Browser
from tests.web.browsers import browser
from tests.web.servers import Server
from tests.web.visitors import Visitor, sit, until_my_lead

RUNS = 9
DEALS = 6
WATCH = """
window.shifts = [];
new PerformanceObserver(list => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifts.push(each);
}).observe({type: 'layout-shift', buffered: true});
const look = () => {
    const button = document.querySelector('.card-form .main');
    if (!button) return requestAnimationFrame(look);
    // It is on the screen after this frame: then it is pressed, and must have done its work.
    setTimeout(() => {
        button.click();
        if (sessionStorage.getItem('popejoan:start')) window.ready = performance.now();
    });
};
requestAnimationFrame(look);
"""
DONE = """(window.ready ?? 0)
    && performance.getEntriesByName('first-contentful-paint').length > 0"""
FRAMES = """millis => new Promise(done => {
    const taken = [];
    let last = performance.now(), end = last + millis;
    requestAnimationFrame(function next(now) {
        taken.push(now - last);
        last = now;
        if (now < end) requestAnimationFrame(next); else done(taken.slice(1));
    });
})"""


def load(running: Browser, server: Server, slower: int) -> tuple[float, float, float]:
    """Milliseconds until the page answers, milliseconds until its first paint, layout shift."""
    context = running.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(WATCH)
    page.goto(server.base)
    while not page.evaluate(DONE):
        page.wait_for_timeout(50)
    found = page.evaluate(
        "[window.ready, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,"
        # After the press the table comes, which is another screen.
        " window.shifts.filter(each => each.startTime <= window.ready)"
        ".reduce((sum, each) => sum + each.value, 0)]"
    )
    context.close()
    return found[0], found[1], found[2]


def weight(running: Browser, server: Server) -> tuple[int, int]:
    """Bytes of the first load as they come over the wire, without fonts, and with them."""
    context = running.new_context()
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {}
    line.on(
        "Network.responseReceived", lambda each: kinds.update({each["requestId"]: each["type"]})
    )
    line.on(
        "Network.loadingFinished",
        lambda each: sizes.update({each["requestId"]: each["encodedDataLength"]}),
    )
    page.goto(server.base)
    page.wait_for_selector("#name")
    page.wait_for_timeout(800)
    light = sum(size for key, size in sizes.items() if kinds.get(key) != "Font")
    context.close()
    return int(light), int(sum(sizes.values()))


PLAY = "setInterval(() => document.querySelector('.hand .legal')?.click(), 250)"


def frames(running: Browser, server: Server, slower: int, speed: str) -> list[float]:
    """How long each frame took in four seconds in which one leads whenever one may."""
    anna = Visitor(running, server, moving=True, speed=speed)
    sit(anna)
    until_my_lead(anna)
    anna.context.new_cdp_session(anna.page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    anna.page.evaluate(PLAY)
    taken: list[float] = sorted(anna.page.evaluate(FRAMES, 4000))
    anna.context.close()
    return taken


def moving(running: Browser, server: Server, slower: int, speed: str) -> tuple[int, int]:
    """Of the frames in which something moved, in four seconds: how many were shown, of how many.

    A browser moves what only changes its place or its opacity by itself, while scripts run; so
    this is what is seen, and `frames` how long a script may have to wait for its turn.
    """
    anna = Visitor(running, server, moving=True, speed=speed)
    sit(anna)
    until_my_lead(anna)
    anna.context.new_cdp_session(anna.page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    running.start_tracing(page=anna.page, categories=["cc", "benchmark"])
    anna.page.evaluate(PLAY)
    anna.page.wait_for_timeout(4000)
    traced = json.loads(running.stop_tracing())["traceEvents"]
    anna.context.close()
    states: dict[tuple[int, int, int], set[str]] = {}
    for each in traced:
        told = each.get("args", {}).get("frame_reporter")
        if told and (told["has_compositor_animation"] or told["has_main_animation"]):
            frame = (each["pid"], told["layer_tree_host_id"], told["frame_sequence"])
            states.setdefault(frame, set()).add(told["state"])
    shown = sum(any("PRESENTED" in state for state in each) for each in states.values())
    return shown, shown + sum(each == {"STATE_DROPPED"} for each in states.values())


def measure() -> None:
    with browser() as running, tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder)).start()
        try:
            light, whole = weight(running, server)
            print(f"first load: {light / 1024:.0f} KB, with fonts {whole / 1024:.0f} KB")
            load(running, server, 1)
            for slower in (1, 4):
                runs = [load(running, server, slower) for _ in range(RUNS)]
                ready = sorted(run[0] for run in runs)
                print(
                    f"{slower} times slower: answers after {statistics.median(ready):.0f} ms "
                    f"({ready[0]:.0f} to {ready[-1]:.0f}), first paint after "
                    f"{statistics.median(run[1] for run in runs):.0f} ms, "
                    f"layout shift {max(run[2] for run in runs):.4f}"
                )
            for slower, speed in product((2, 4), ("normal", "fast")):
                parts = [frames(running, server, slower, speed) for _ in range(DEALS)]
                taken = sorted(chain.from_iterable(parts))
                print(
                    f"{slower} times slower, {speed} speed: "
                    f"{len(taken) / DEALS / 4:.0f} frames a second in play, "
                    f"{taken[len(taken) // 2]:.1f} ms in the middle, "
                    f"{taken[int(len(taken) * 0.95)]:.1f} ms at 95 of 100"
                )
                seen = [moving(running, server, slower, speed) for _ in range(DEALS)]
                shown, wanted = (sum(part) for part in zip(*seen, strict=True))
                print(f"    shown while something moves: {100 * shown / wanted:.1f} % of frames")
        finally:
            server.stop()


if __name__ == "__main__":
    measure()
