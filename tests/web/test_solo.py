"""The page without a network: the same engine, the same frames, and nothing lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from tests.web.servers import Server
from tests.web.visitors import LABELS, Visitor, advance, axe, play_deal, until_all_is_fetched

STATIC = Path(__file__).parent.parent.parent / "src" / "popejoan" / "web" / "static"
SIGNATURE = Path(__file__).parent.parent / "signature.txt"
DIGEST = """async ([script, base]) => {
    const worker = new Worker(script, { type: 'module' });
    const ask = message => new Promise((done, fail) => {
        worker.onmessage = ({ data: { fault, value } }) =>
            fault ? fail(new Error(fault)) : done(value);
        worker.onerror = error => fail(new Error(error.message));
        worker.postMessage({ id: 1, ...message });
    });
    await ask({ kind: 'begin', base });
    return ask({ kind: 'digest' });
}"""


def play_alone(visitor: Visitor) -> Page:
    page = visitor.page
    page.fill("#name", "Anna")
    page.get_by_role("button", name="Play without a network").click()
    # Its packs come from no seed: a deal may be over before anyone has led.
    advance(visitor, ".hand button", on="wait", patience=240)
    return page


def test_the_page_plays_on_when_the_server_is_gone_for_good(
    chromium: Browser, own_server: Server
) -> None:
    anna = Visitor(chromium, own_server, keeping=True)
    page = play_alone(anna)
    anna.context.set_offline(True)
    own_server.kill()
    play_deal(anna, patience=120)
    assert axe(page) == []
    sums = page.locator(".sum").inner_text()
    # Opened again without a network, the table is where it was.
    page.reload()
    expect(page.locator(".sum")).to_be_visible(timeout=120_000)
    assert page.locator(".sum").inner_text() == sums
    page.get_by_text("See the deal again").click()
    page.wait_for_selector(".replay")
    assert page.get_by_role("button", name="Make a link to this deal").count() == 0
    page.get_by_role("button", name="Close").click()
    before = page.locator(".deal-number").inner_text()
    page.get_by_role("button", name="Next deal").click()
    expect(page.locator(".deal-number")).not_to_have_text(before)
    advance(anna, ".hand button", on="wait", patience=120)
    hand = page.locator(".hand button").evaluate_all(LABELS)
    assert hand
    # The entrance opens too, and leads back.
    page.goto(own_server.base)
    page.get_by_role("link", name="Go back to your last table").click()
    page.wait_for_selector(".hand button", timeout=120_000)
    anna.close()


def test_the_browser_plays_the_same_rounds_as_python(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server, keeping=True)
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    play_alone(anna)
    anna.page.set_default_timeout(120_000)
    script = next(url for url in asked if "/assets/solo-worker-" in url)
    base = next(url for url in asked if url.endswith("/python.zip")).removesuffix("python.zip")
    digest = anna.page.evaluate(DIGEST, [script, base])
    assert digest == SIGNATURE.read_text(encoding="utf-8").strip()
    assert [url for url in asked if not url.startswith(server.base)] == []
    anna.close()


def test_python_is_fetched_only_when_asked_for(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server, keeping=True)
    asked: list[str] = []
    anna.context.on("request", lambda request: asked.append(request.url))
    anna.page.goto(server.base)
    anna.page.click("text=Play now against bots")
    anna.page.wait_for_selector(".hand button")
    until_all_is_fetched(anna.page)
    assert [url for url in asked if "solo" in url or "pyodide" in url] == []
    anna.close()


def test_only_the_worker_may_compile_webassembly(server: Server) -> None:
    import urllib.request

    policies = {}
    for path in ("", *(f"assets/{each.name}" for each in (STATIC / "assets").glob("*.js"))):
        with urllib.request.urlopen(server.base + path) as answer:
            policies[path] = answer.headers["content-security-policy"]
    may = [path for path, policy in policies.items() if "wasm-unsafe-eval" in policy]
    assert len(may) == 1
    assert may[0].startswith("assets/solo-worker-")
    assert not any("'unsafe-eval'" in policy for policy in policies.values())


def test_whatever_is_kept_for_a_day_without_a_network_is_there(server: Server) -> None:
    keeper = server.http("sw.js")[1]
    for name in ("SHELL", "REST"):
        (listed,) = re.findall(rf"^const {name} = (\[.*\]);$", keeper, re.MULTILINE)
        paths = json.loads(listed)
        assert len(paths) > 10
        missing = [path for path in paths if path != "./" and not (STATIC / path).is_file()]
        assert missing == []
    whole = {path.name for path in (STATIC / "assets").glob("*.js")}
    assert {name for name in whole if f'assets/{name}"' not in keeper} == set()


def test_the_page_can_be_installed(chromium: Browser, server: Server) -> None:
    anna = Visitor(chromium, server, keeping=True)
    status, manifest = server.http("manifest.webmanifest")
    assert status == 200
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    for icon in manifest["icons"]:
        shown = anna.page.evaluate(
            "async src => { const image = new Image(); image.src = src; await image.decode();"
            " return `${image.naturalWidth}x${image.naturalHeight}`; }",
            icon["src"],
        )
        assert shown == icon["sizes"]
    line = anna.context.new_cdp_session(anna.page)
    anna.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    assert line.send("Page.getAppManifest")["errors"] == []
    found = line.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Each visitor's browser is a private one, which installs nothing.
    assert [each["errorId"] for each in found] == ["in-incognito"]
    for name in ("sw.js", "../pyproject.toml", "index.html.br", "nothing.js"):
        assert (server.http(name)[0] == 200) == (name == "sw.js")
    anna.close()
