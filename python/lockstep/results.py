"""Results as plain objects: attributes for what is asked most, `data` for everything, a table in Jupyter."""
import html
import json


def _time(nanoseconds):
    if nanoseconds is None:
        return "not timed"
    for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if nanoseconds >= scale:
            return f"{nanoseconds / scale:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def _share(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def _table(head, rows):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


class _Data:
    def __init__(self, data):
        self.data = data

    def to_json(self):
        return json.dumps(self.data, indent=2)


class Report(_Data):
    """The report of a launch: `data` is docs/report.schema.json's, `text` what `lockstep run` prints."""

    def __init__(self, data, text=""):
        super().__init__(data)
        self.text = text

    @property
    def gpu(self):
        return self.data["gpu"]

    @property
    def kernel(self):
        return self.data["kernel"]

    @property
    def status(self):
        return self.data["status"]

    @property
    def time_ns(self):
        return self.data["time_ns"]

    @property
    def cycles(self):
        return self.data["cycles"]

    @property
    def bound(self):
        return self.data["bound"]

    @property
    def occupancy(self):
        return self.data["views"]["occupancy"]["occupancy"]

    @property
    def counters(self):
        return self.data["counters"]

    @property
    def lines(self):
        """Source lines, the costliest first."""
        return self.data["views"].get("lines", {}).get("lines", [])

    @property
    def advice(self):
        """What would help, the largest gain first; of a run with what_if=True."""
        return self.data["views"].get("advice") or []

    @property
    def what_if(self):
        """What the launch would cost with one thing changed; of a run with what_if=True."""
        return (self.data["views"].get("what_if") or {}).get("answers", [])

    @property
    def violations(self):
        return self.data["views"].get("violations", {}).get("kept", [])

    @property
    def failure(self):
        return self.data["views"].get("failure")

    def __repr__(self):
        return f"<{type(self).__name__} {self.kernel} on {self.gpu}: {self.status}, {_time(self.time_ns)}>"

    def __str__(self):
        return self.text or repr(self)

    def _repr_html_(self):
        views = self.data["views"]
        rows = [("GPU", views["launch"]["gpu"]), ("status", self.status), ("time", _time(self.time_ns)),
                ("occupancy", _share(self.occupancy))]
        if self.bound:
            rows.append(("bound by", views["bound"]["text"]))
        for one in ([self.failure] if self.failure else []) + self.violations:
            rows.append((one["code"], one["text"]))
        out = f"<h4>{html.escape(self.kernel)}</h4>" + _table(("", ""), rows)
        cost = "wave_cycles" if self.lines and "wave_cycles" in self.lines[0] else "work"
        total = sum(line[cost] for line in self.lines) or 1
        if self.lines:
            out += _table(("share", "line", "source"), [(_share(line[cost] / total), line["line"], line["text"])
                                                        for line in self.lines[:10]])
        return out


class Run(Report):
    """A launch that this process made: its report, what the kernel printed, and `arrays`, what the buffers hold."""

    def __init__(self, data, text, printed, arrays):
        super().__init__(data, text)
        self.printed, self.arrays = printed, arrays


class _Rows(_Data):
    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


class Gpus(_Rows):
    @property
    def rows(self):
        return self.data

    def __repr__(self):
        return "\n".join(f"{one['id']:<12} {one['name']}" for one in self.rows)

    def _repr_html_(self):
        return _table(("id", "name", "vendor", "target", "timed"),
                      [(one["id"], one["name"], one["vendor"], one["target"], one["timed"]) for one in self.rows])


class Occupancy(_Data):
    """What a compute unit holds: `occupancy` (share of its wave slots), `waves_per_cu`, `groups_per_cu`, `limiter`."""

    def __getattr__(self, name):
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __repr__(self):
        return f"<Occupancy {_share(self.occupancy)}: {self.waves_per_cu} of {self.wave_slots} waves, limited by {self.limiter}>"

    def _repr_html_(self):
        return _table(("occupancy", "waves", "slots", "groups", "limited by"),
                      [(_share(self.occupancy), self.waves_per_cu, self.wave_slots, self.groups_per_cu, self.limiter)])


class Comparison(_Rows):
    """A launch on several GPUs: a row for each (docs/tuning.md)."""

    @property
    def rows(self):
        return self.data["launches"]

    @property
    def best(self):
        """The fastest row; None where none was timed."""
        return min((row for row in self.rows if row["time_ns"] and row["status"] == "done"),
                   key=lambda row: row["time_ns"], default=None)

    def __repr__(self):
        return "\n".join(f"{row['gpu']:<12} {_time(row['time_ns']):>12}  {row['bound'] or row['error'] or ''}" for row in self.rows)

    def _repr_html_(self):
        return _table(("GPU", "time", "occupancy", "transactions / ideal", "bank conflicts", "bound by"),
                      [(row["gpu"], _time(row["time_ns"]), _share(row["occupancy"]), row["transactions_times_ideal"],
                        _share(row["bank_conflicts"]), row["bound"] or row["error"] or "") for row in self.rows])


class Change(_Rows):
    """Two reports, before and after: `time_ratio`, `counters`, and the lines by how much their cost changed."""

    @property
    def rows(self):
        return self.data["lines"]

    @property
    def time_ratio(self):
        return self.data["time_ratio"]

    @property
    def counters(self):
        return self.data["counters"]

    def __repr__(self):
        before, after = self.data["before"], self.data["after"]
        return f"<Change {_time(before['time_ns'])} -> {_time(after['time_ns'])}>"

    def _repr_html_(self):
        return f"<p>{html.escape(repr(self)[1:-1])}</p>" + _table(
            ("line", "cost before", "cost after", "source"),
            [(f"{row['line_before']} -> {row['line_after']}", row["cost_before"], row["cost_after"], row["text"])
             for row in self.rows[:15]])


class Tuning(_Rows):
    """The points of a search in their order; `best` is the fastest that ended well."""

    @property
    def rows(self):
        return self.data["points"]

    @property
    def best(self):
        return min((row for row in self.rows if row["error"] is None and row["time_ns"]),
                   key=lambda row: row["time_ns"], default=None)

    def sorted(self):
        return sorted((row for row in self.rows if row["error"] is None), key=lambda row: row["time_ns"] or 0)

    def _point(self, row):
        names = list(row)[:list(row).index("gpu_name")]
        return " ".join(f"{name}={row[name]}" for name in names if name != "gpu" or ":" not in name)

    def __repr__(self):
        return "\n".join(f"{_time(row['time_ns']):>12}  {self._point(row)}" for row in self.sorted()[:20])

    def _repr_html_(self):
        return _table(("time", "point", "bound by"),
                      [(_time(row["time_ns"]), self._point(row), row["bound"] or "") for row in self.sorted()[:20]])
