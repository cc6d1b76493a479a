"""Reads and writes every frame of vectors.txt by docs/developers/protocol.md alone: python3 client.py vectors.txt

Needs the standard library only. Each payload is described once, by a function that either reads the
fields from bytes or writes them, depending on the cursor it is given.
"""
import json
import re
import struct
import sys
import uuid
import zlib

MASK = (1 << 64) - 1


def signed(n):
    n &= MASK
    return n - (1 << 64) if n >> 63 else n


class Reader:
    """Takes fields off a payload; what the caller passes as value does not matter."""

    writing = False

    def __init__(self, payload):
        self.rest = payload

    def raw(self, size, _=None):
        if size > len(self.rest):
            raise ValueError("the payload ends too early")
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def fixed(self, form, _=None):
        return struct.unpack(">" + form, self.raw(struct.calcsize(form)))[0]

    def varint(self, _=None):
        value = shift = 0
        while True:
            byte = self.raw(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if value > MASK:
            raise ValueError("a varint has more than 64 bits")
        return value

    def zigzag(self, _=None):
        n = self.varint()
        return n >> 1 ^ -(n & 1)

    def bytes(self, _=None):
        return self.raw(self.varint()).hex()

    def text(self, _=None):
        return self.raw(self.varint()).decode("utf-8")


class Writer:
    """Puts fields into a payload and returns them as they are."""

    writing = True

    def __init__(self):
        self.payload = b""

    def raw(self, size, value):
        self.payload += value
        return value

    def fixed(self, form, value):
        self.payload += struct.pack(">" + form, value)
        return value

    def varint(self, value):
        rest = value & MASK
        while rest > 127:
            self.payload += bytes([rest & 127 | 128])
            rest >>= 7
        self.payload += bytes([rest])
        return value

    def zigzag(self, value):
        n = signed(value)
        self.varint(n << 1 ^ n >> 63)
        return value

    def bytes(self, value):
        self.varint(len(value) // 2)
        self.payload += bytes.fromhex(value)
        return value

    def text(self, value):
        encoded = value.encode("utf-8")
        self.varint(len(encoded))
        self.payload += encoded
        return value


def flag(io, value):
    byte = io.fixed("B", 1 if value else 0)
    if byte > 1:
        raise ValueError("a flag is 0 or 1")
    return byte == 1


def fixed(form):
    return lambda io, value: io.fixed(form, value)


def varint(io, value):
    return io.varint(value)


def zigzag(io, value):
    return io.zigzag(value)


def text(io, value):
    return io.text(value)


def content(io, value):
    return io.bytes(value)


class Less:
    """A zigzag difference to the field's value in the item before, 0 at first."""


def item(io, value, fields, before):
    result = {}
    for name, kind in fields:
        given = value[name] if io.writing else None
        if kind is Less:
            base = before.get(name, 0)
            result[name] = signed(base + io.zigzag(signed(given - base) if io.writing else None))
            before[name] = result[name]
        else:
            result[name] = kind(io, given)
    return result


def record(*fields):
    return lambda io, value: item(io, value, fields, {})


def counted(*fields):
    def code(io, value):
        count = io.varint(len(value) if io.writing else None)
        before = {}
        return [item(io, value[i] if io.writing else None, fields, before) for i in range(count)]

    return code


def to_end(*fields):
    def code(io, value):
        before, result = {}, []
        while len(result) < len(value) if io.writing else io.rest:
            result.append(item(io, value[len(result)] if io.writing else None, fields, before))
        return result

    return code


def magic(io, value):
    if io.fixed("I", 0x46444D57) != 0x46444D57:
        raise ValueError("not a Fedometer HELLO")
    return None


def source(io, value):
    return str(uuid.UUID(bytes=io.raw(16, uuid.UUID(value).bytes if io.writing else None)))


def attributes(io, value):
    pairs = [{"k": k, "v": v} for k, v in value.items()] if io.writing else None
    return {pair["k"]: pair["v"] for pair in counted(("k", text), ("v", text))(io, pairs)}


def hello(io, value):
    magic(io, None)
    return item(io, value, HELLO_FIELDS, {})


HELLO_FIELDS = (
    ("oldestVersion", fixed("B")), ("newestVersion", fixed("B")), ("uuid", source),
    ("firstAvailable", varint), ("kind", text), ("name", text), ("runId", text), ("runName", text),
    ("token", text), ("attributes", attributes), ("nanos", fixed("q")))


def samples(io, value):
    count = io.varint(len(value) if io.writing else None)
    result, stack, thread, trace, start, end = [], [], 0, 0, 0, 0
    for i in range(count):
        s = value[i] if io.writing else {}
        other = io.writing and (s["thread"], s["trace"]) != (thread, trace)
        if other:
            stack = []
        self_nanos = expected = flags = gap = lead = tail = 0
        if io.writing:
            gap, lead = signed(s["start"] - end), signed(start - s["start"])
            tail = signed(s["start"] + s["duration"] - end)
            expected = expect(stack, s["start"], s["duration"])
            self_nanos = signed(s["self"] - expected)
            flags = (1 if s["failed"] else 0) | (2 if other else 0) | (4 if self_nanos else 0)
            flags |= 8 if gap < 0 and min(lead, tail) < 0 else 0
        head = io.varint(s["stage"] << 1 | (flags > 0) if io.writing else None)
        flags = io.fixed("B", flags) if head & 1 else 0
        if flags & 2:
            thread = io.varint(s.get("thread"))
            trace = signed(trace + io.zigzag(s["trace"] - trace if io.writing else None))
            stack = stack if io.writing else []  # A writer has emptied it above.
        if flags & 8:
            end = signed(end + io.zigzag(tail))
            start = signed(end - io.varint(s.get("duration")))
        else:
            time = io.varint(gap << 1 if gap >= 0 else tail << 1 | 1)
            if time & 1:
                end, start = signed(end + (time >> 1)), signed(start - io.varint(lead))
            else:
                start = signed(end + (time >> 1))
                end = signed(start + io.varint(s.get("duration")))
        duration = signed(end - start)
        if not io.writing:
            expected = expect(stack, start, duration)
        self_nanos = signed(expected + (io.zigzag(self_nanos) if flags & 4 else 0))
        result.append({
            "stage": head >> 1, "thread": thread, "trace": trace, "start": start, "duration": duration,
            "self": self_nanos, "failed": flags & 1 == 1})
    return result


def expect(stack, start, duration):
    expected = duration
    while stack and signed(stack[-1][0] - start) >= 0:
        expected -= stack.pop()[1]
    if len(stack) == 64:
        stack.clear()
    stack.append((start, duration))
    return expected


def requests(io, value):
    names, before, result = [], {}, []
    while len(result) < len(value) if io.writing else io.rest:
        r = value[len(result)] if io.writing else {}
        late = signed(r["start"] - r["intendedStart"]) if io.writing else 0
        if io.writing:
            known = names.index(r["operation"]) if r["operation"] in names else len(names)
        head = io.varint(known << 1 | (late != 0) if io.writing else None)
        if head >> 1 == len(names):
            names.append(io.text(r.get("operation")))
        late = io.zigzag(late) if head & 1 else 0
        r = item(io, r if io.writing else None, REQUEST, before)
        result.append(
            {**r, "operation": names[head >> 1], "intendedStart": signed(r["start"] - late)})
    return result


NAMES = counted(("number", varint), ("name", text))

REQUEST = (
    ("index", Less), ("pid", text), ("traceparent", text), ("worker", varint),
    ("attempt", varint), ("start", Less), ("duration", varint), ("status", varint),
    ("contentBytes", varint), ("message", text))

LOG = (
    ("at", Less), ("level", fixed("B")), ("trace", zigzag), ("logger", text),
    ("thread", text), ("message", text), ("thrown", text), ("context", text))

# By the type's name in the document: its code, and what its payload is made of.
TYPES = {
    "hello": (1, hello),
    "welcome": (2, record(
        ("version", fixed("B")), ("lastDurable", varint), ("store", text), ("host", text),
        ("runFolder", text), ("runId", text))),
    "rejected": (3, record(("temporary", flag), ("reason", text))),
    "acknowledgement": (4, record(("lastDurable", varint), ("notice", text))),
    "clock_request": (5, record(("t1", fixed("q")))),
    "clock_reply": (6, record(
        ("t1", fixed("q")), ("t2", fixed("q")), ("t3", fixed("q")), ("bootId", text))),
    "query": (7, record(("id", fixed("I")), ("query", text))),
    "query_result": (8, record(("id", fixed("I")), ("state", fixed("B")), ("content", content))),
    "agent_report": (9, record(
        ("nonce", text), ("state", fixed("B")), ("message", text),
        ("facts", counted(("name", text), ("value", text))),
        ("stages", counted(("name", text), ("weaving", fixed("B")), ("detail", text))),
        ("captures", counted(("name", text), ("weaving", fixed("B")), ("detail", text))))),
    "stages": (16, NAMES),
    "threads": (17, NAMES),
    "samples": (18, samples),
    "traces": (19, to_end(
        ("trace", Less), ("root", varint), ("failed", flag), ("pid", text),
        ("traceparent", text), ("operation", text))),
    "totals": (20, record(
        ("last", flag), ("samplesDropped", varint), ("framesDropped", varint),
        ("tracesDropped", varint), ("stagesSkipped", varint), ("threadsRefused", varint),
        ("stages", counted(
            ("stage", varint), ("count", varint), ("failed", varint), ("sum", varint))))),
    "requests": (21, requests),
    "document": (22, record(("append", flag), ("path", text), ("content", content))),
    "close_run": (23, record(("runId", text))),
    "environment": (24, counted(("name", text), ("value", text))),
    "marker": (25, record(("name", text), ("at", zigzag))),
    "clock": (26, record(
        ("at", zigzag), ("offset", zigzag), ("uncertainty", varint), ("bootId", text))),
    "logs": (27, counted(*LOG)),
    "metrics": (28, counted(("number", varint), ("name", text), ("unit", text))),
    "telemetry": (29, to_end(
        ("at", Less), ("values", counted(("metric", varint), ("value", fixed("d")))))),
    "gc": (30, to_end(
        ("collector", text), ("action", text), ("cause", text), ("start", Less),
        ("duration", varint), ("heapBefore", varint), ("heapAfter", varint))),
}


def encode(name, sequence, value):
    code, payload = TYPES[name]
    io = Writer()
    payload(io, value)
    frame = struct.pack(">IBQ", 13 + len(io.payload), code, sequence) + io.payload
    return frame + struct.pack(">I", zlib.crc32(frame))


def decode(frame):
    length, code, sequence = struct.unpack(">IBQ", frame[:13])
    if length != len(frame) - 4:
        raise ValueError("the length is not the frame's")
    if struct.unpack(">I", frame[-4:])[0] != zlib.crc32(frame[:-4]):
        raise ValueError("the CRC-32 does not fit")
    name, payload = next((n, p) for n, (c, p) in TYPES.items() if c == code)
    io = Reader(frame[13:-4])
    value = payload(io, None)
    if io.rest:
        raise ValueError("bytes too many in the payload")
    return name, sequence, value


def main():
    lines = [line for line in open(sys.argv[1], encoding="utf-8") if not line.startswith("#")]
    blocks = re.split(r"\n\s*\n", "".join(lines).strip())
    faults = []
    for block in blocks:
        fields = dict(line.split(" ", 1) for line in block.splitlines())
        name, sequence = fields["frame"], int(fields["sequence"])
        values, frame = json.loads(fields["values"]), bytes.fromhex(fields["bytes"])
        try:
            if TYPES[name][0] != int(fields["type"]):
                faults.append(f"{name}: its code is not {fields['type']}")
            if encode(name, sequence, values) != frame:
                faults.append(f"{name}: encoded as {encode(name, sequence, values).hex()}")
            if decode(frame) != (name, sequence, values):
                faults.append(f"{name}: decoded as {decode(frame)}")
        except ValueError as fault:
            faults.append(f"{name}: {fault}")
    if {block.split()[1] for block in blocks} != set(TYPES):
        faults.append("not one vector of each type")
    print("\n".join(faults) or f"{len(blocks)} frames read and written")
    sys.exit(1 if faults else 0)


main()
