"""Pages of --html in headless Chromium: what they draw, and what they do when somebody uses them."""
import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def dom(address):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000",
                               f"--user-data-dir={profile}", "--dump-dom", f"file://{address}"],
                              capture_output=True, text=True, timeout=120).stdout


def drawn(page):
    """The page's elements once it is drawn."""
    return dom(Path(page).resolve())


def used(page, script, width=390):
    """What `script`, the body of an async function, returns in the page, drawn as wide as a phone. The page is put in a frame, because
    windows have a least width; `press(KEY)` presses a key on what has the focus and waits until the page has drawn."""
    run = """
<script>(async () => {
  const drawn = () => new Promise((done) => setTimeout(done, 50));
  const press = (key) => {
    (document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return drawn();
  };
  const errors = [];
  addEventListener('error', (event) => errors.push(event.message));
  addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
  let found;
  try { await drawn(); found = await (async () => { """ + script + """ })(); } catch (error) { errors.push(String(error)); }
  parent.postMessage({ found, errors }, '*');
})();</script>
"""
    with tempfile.TemporaryDirectory() as folder:
        inner, frame = Path(folder) / "inner.html", Path(folder) / "frame.html"
        inner.write_text(Path(page).read_text().replace("</body>", run + "</body>"))
        frame.write_text(f"""<!doctype html><pre id="found"></pre><script>
addEventListener('message', (event) => {{ document.getElementById('found').textContent = JSON.stringify(event.data); }});
</script><iframe src="inner.html" style="width:{width}px;height:800px;border:0"></iframe>""")
        found = re.search(r'<pre id="found">(.*?)</pre>', dom(frame), re.S)[1]
    return json.loads(html.unescape(found)) if found else {"errors": ["nothing came back"], "found": None}


# Whether anything but what may scroll by itself is wider than the page, and which figures are none.
sound = """
  const wide = [...document.querySelectorAll('main *')].filter((one) => !one.closest('.scroll, .code, dialog') &&
    one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName + ' ' + one.textContent.slice(0, 40));
  const bad = [...document.querySelectorAll('svg *')].filter((one) => [...one.attributes].some((a) => /NaN|undefined|Infinity/.test(a.value))).length;
  const text = document.body.innerText.match(/NaN|undefined|Infinity|\\[object/g);
  const sound = { scrolls: document.documentElement.scrollWidth > innerWidth, wide, bad, text };
"""


def is_sound(found):
    return found and not found["scrolls"] and not found["wide"] and not found["bad"] and not found["text"]
