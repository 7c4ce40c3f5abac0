"""A small Execution Service of its own, the worked example of docs/adapters.md: IFC files as lines of text, two operations.

`list_elements` answers the elements of a class, `rename_element` gives one another name. It stands for a program with a model
of its own behind it: what is here a dictionary of lines would there be Revit's or Archicad's document. It needs nothing
but Python 3.9, and refuses to do more: no property sets, no geometry, no files.

    python3 adapter.py --listen 127.0.0.1:8425 --token-file secret
"""

import argparse
import base64
import decimal
import hashlib
import hmac
import json
import re
import struct
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_BYTES = 64 << 20
RESULT_BYTES = 1 << 20
KEPT_VERSIONS = 16

INVALID_PARAMS, ELEMENT_NOT_FOUND, PERMISSION_DENIED = -32602, 1001, 1003
NOT_SUPPORTED, LIMIT_REACHED, BACKEND_FAILED = 1008, 1009, 1010
UNREADABLE_FILE, NOT_FOUND, UNAUTHENTICATED, CANCELLED, VERSION_NOT_OPEN = 1013, 1014, 1015, 1016, 1018

STATUS = {
    INVALID_PARAMS: 400, UNAUTHENTICATED: 401, PERMISSION_DENIED: 403, ELEMENT_NOT_FOUND: 404, NOT_FOUND: 404,
    VERSION_NOT_OPEN: 409, LIMIT_REACHED: 413, UNREADABLE_FILE: 422, BACKEND_FAILED: 500, NOT_SUPPORTED: 501, CANCELLED: 504,
}


class Fault(Exception):
    """The one error that leaves: a code that programs test for, a sentence that says what to do, facts to act on."""

    def __init__(self, code, message, **data):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    def to_json(self):
        fault = {"code": self.code, "message": self.message}
        return {**fault, "data": self.data} if self.data else fault


# --- hashes -------------------------------------------------------------------------------------------------------------


def number(value):
    """A number as ECMAScript writes it (RFC 8785, 3.2.2.3); integers with all their digits."""
    if isinstance(value, int):
        return str(value)
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    minus, text, point = "-" if sign else "", "".join(map(str, digits)), len(digits) + exponent
    if value == 0:
        return "0"
    if 0 < point <= 21:
        rest = text[point:]
        return minus + text[:point].ljust(point, "0") + (f".{rest}" if rest else "")
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{text}"
    rest = f".{text[1:]}" if text[1:] else ""
    return f"{minus}{text[0]}{rest}e{point - 1:+d}"


def canonical_text(value):
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{canonical_text(name)}:{canonical_text(member)}" for name, member in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_text, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def canonical(value):
    """JSON in one spelling (RFC 8785)."""
    return canonical_text(value).encode()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def version_after(parent, delta):
    """The id of the version that a delta makes: so a chain of deltas proves itself."""
    return sha256(b"delta\0" + parent.encode() + b"\0" + delta)


# --- deltas: an envelope for all kinds of model, and the body of kind `ifc` (see docs/adapters.md) ----------------------


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def seal(body):
    head = b"PDLT" + bytes([1, 1]) + struct.pack("<Q", len(body)) + body
    return head + hashlib.sha256(head).digest()


def unseal(delta):
    body, whole = delta[14:-32], len(delta) >= 46 and delta[:6] == b"PDLT\x01\x01"
    if not whole or struct.unpack("<Q", delta[6:14])[0] != len(body) or hashlib.sha256(delta[:-32]).digest() != delta[-32:]:
        raise Fault(BACKEND_FAILED, "A delta of this model is damaged.")
    return body


NULL, TEXT, SET = 0, 7, 0


def encode_body(first, changes):
    """The body of a delta that sets texts: {instance: {place of the attribute: text or None}}; creates and removes nothing."""
    out = bytearray([2]) + varint(first) + varint(0) + varint(0) + varint(0) + varint(0) + varint(len(changes))
    for instance, attributes in sorted(changes.items()):
        out += varint(instance) + varint(len(attributes))
        for place, text in sorted(attributes.items()):
            out += varint(place) + bytes([SET])
            if text is None:
                out += bytes([NULL])
            else:
                data = text.encode()
                out += bytes([TEXT]) + varint(len(data)) + data
    out += varint(0)
    return bytes(out) + struct.pack("<I", zlib.crc32(out))


class Body:
    """Reads what `encode_body` wrote. What another adapter may write beside that is refused, not guessed at."""

    def __init__(self, body):
        if len(body) < 5 or struct.unpack("<I", body[-4:])[0] != zlib.crc32(body[:-4]):
            raise Fault(BACKEND_FAILED, "A delta of this model is damaged.")
        self.bytes, self.at = body[:-4], 0

    def number(self):
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7

    def take(self, count):
        if self.at + count > len(self.bytes):
            raise Fault(BACKEND_FAILED, "A delta of this model is cut short.")
        self.at += count
        return self.bytes[self.at - count : self.at]

    def foreign(self):
        raise Fault(NOT_SUPPORTED, "This example only reads deltas that change texts; this one does more.")

    def changes(self):
        if self.number() != 2:
            self.foreign()
        self.number()  # the first id that was free
        if self.number() or self.number() or self.number() or self.number():  # ids taken, names, created, put
            self.foreign()
        changes = {}
        for _ in range(self.number()):
            attributes = changes.setdefault(self.number(), {})
            for _ in range(self.number()):
                place = self.number()
                if self.number() != SET:
                    self.foreign()
                tag = self.number()
                if tag not in (NULL, TEXT):
                    self.foreign()
                attributes[place] = None if tag == NULL else self.take(self.number()).decode()
        if self.number():  # removed
            self.foreign()
        return changes


# --- the model ----------------------------------------------------------------------------------------------------------

LINE = re.compile(r"#(\d+)\s*=\s*([A-Za-z0-9_]+)\s*\(((?:'(?:[^']|'')*'|[^;'])*)\)\s*;")
GLOBAL_ID = re.compile(r"[0-3][0-9A-Za-z_$]{21}")
# STEP writes classes in capitals; people and the contract write IfcWall. A real adapter takes this from the schema.
CLASSES = ("IfcProject IfcSite IfcBuilding IfcBuildingStorey IfcSpace IfcWall IfcWallStandardCase IfcSlab IfcRoof IfcDoor "
           "IfcWindow IfcColumn IfcBeam IfcStair IfcRailing IfcCovering IfcMember IfcPlate IfcFurniture").split()
SPELT = {name.upper(): name for name in CLASSES}
NAME = 2  # GlobalId, OwnerHistory, Name: the third attribute of everything that has a GlobalId


def split(attributes):
    """The attributes of one instance, as they are spelt."""
    parts, depth, text, begin = [], 0, False, 0
    for at, letter in enumerate(attributes):
        if letter == "'":
            text = not text
        elif not text and letter in "()":
            depth += 1 if letter == "(" else -1
        elif not text and letter == "," and depth == 0:
            parts.append(attributes[begin:at].strip())
            begin = at + 1
    return parts + [attributes[begin:].strip()]


def spell(text):
    """A text as STEP writes it (ISO 10303-21)."""
    if text is None:
        return "$"
    plain = [letter if " " <= letter <= "~" else f"\\X4\\{ord(letter):08X}\\X0\\" for letter in text]
    return "'" + "".join(plain).replace("'", "''") + "'"


def read(spelt):
    """The text that STEP spells so; None for a value that is not there."""
    if not spelt.startswith("'"):
        return None
    text = spelt[1:-1].replace("''", "'")
    wide = re.compile(r"\\X([24])\\((?:[0-9A-F]{4})+)\\X0\\")
    return wide.sub(lambda m: bytes.fromhex(m[2]).decode("utf-16-be" if m[1] == "2" else "utf-32-be"), text)


class Model:
    """One version: never changed, only copied with a difference."""

    def __init__(self, instances):
        self.instances = instances  # id → (class, attributes)

    @classmethod
    def open(cls, data):
        text = data.decode("latin-1")
        if not text.lstrip().startswith("ISO-10303-21;"):
            raise Fault(UNREADABLE_FILE, "The file is no IFC file: it does not begin with ISO-10303-21.", line=1)
        return cls({int(m[1]): (m[2].upper(), split(m[3])) for m in LINE.finditer(text)})

    def elements(self, wanted):
        for instance, (name, attributes) in sorted(self.instances.items()):
            has_id = len(attributes) > NAME and GLOBAL_ID.fullmatch(attributes[0].strip("'"))
            if name == wanted.upper() and has_id:
                yield {"id": attributes[0].strip("'"), "name": read(attributes[NAME])}

    def find(self, element):
        for instance, (_, attributes) in self.instances.items():
            if len(attributes) > NAME and attributes[0] == f"'{element}'":
                return instance
        raise Fault(ELEMENT_NOT_FOUND, f"No element with the id {element} in this model.", element_id=element)

    def with_changes(self, changes):
        instances = dict(self.instances)
        for instance, values in changes.items():
            if instance not in instances:
                raise Fault(BACKEND_FAILED, f"A delta changes #{instance}, which this model has not.")
            name, attributes = instances[instance]
            attributes = [spell(values[at]) if at in values else old for at, old in enumerate(attributes)]
            instances[instance] = (name, attributes)
        return Model(instances)


# --- the operations -----------------------------------------------------------------------------------------------------

SCHEMAS = {
    "list_elements": {"type": "object", "required": ["class"], "additionalProperties": False,
                      "properties": {"class": {"type": "string", "description": "An IFC class, such as IfcWall."}}},
    "rename_element": {"type": "object", "required": ["element_id", "name"], "additionalProperties": False,
                       "properties": {"element_id": {"type": "string", "description": "A GlobalId."},
                                      "name": {"type": "string", "maxLength": 255}}},
}


def check(operation, params):
    """The parameters against their schema: what is missing, unknown or of another type is named."""
    schema, params = SCHEMAS[operation], params or {}
    if not isinstance(params, dict):
        raise Fault(INVALID_PARAMS, f"{operation} takes an object.", field="params")
    for name in schema["required"]:
        if not isinstance(params.get(name), str):
            raise Fault(INVALID_PARAMS, f"{operation} needs the text {name}.", field=name)
    for name in params:
        if name not in schema["properties"]:
            allowed = list(schema["properties"])
            raise Fault(INVALID_PARAMS, f"{operation} has no parameter {name}.", field=name, allowed=allowed)
    return params


def list_elements(model, params):
    found = list(model.elements(params["class"]))
    return {"result": {"total": len(found), "elements": found}}


def rename_element(model, params):
    instance = model.find(params["element_id"])
    name, attributes = model.instances[instance]
    before, after = read(attributes[NAME]), params["name"]
    result = {"result": {"element_id": params["element_id"], "before": before, "name": after}, "event_type": "ElementModified"}
    if before == after:
        return result  # nothing changed, so there is no delta
    name, renamed = SPELT.get(name, name), {"before": before, "after": after}
    element = {"id": params["element_id"], "class": name, "name": after, "changes": {"renamed": renamed}}
    summary = {"modified": {name: 1}, "elements": [element], "instances": 1}
    body = encode_body(max(model.instances) + 1, {instance: {NAME: after}})
    return {**result, "delta": seal(body), "diff_summary": summary}


OPERATIONS = {"list_elements": ("query", list_elements), "rename_element": ("modify", rename_element)}


def info():
    operations = [
        {"name": name, "effect": effect, "schema_sha256": sha256(canonical(SCHEMAS[name]))}
        for name, (effect, _) in OPERATIONS.items()
    ]
    adapter = {"name": "example", "version": "1", "kinds": ["ifc"], "operations": operations, "languages": []}
    sandbox = {"seccomp": False, "no_new_privileges": False, "limits": False, "namespaces": [], "missing": ["all: an example"]}
    return {"program": "example", "version": "1", "adapters": [adapter], "sandbox": sandbox}


# --- versions and calls -------------------------------------------------------------------------------------------------


class Service:
    """Opens versions, keeps a few, and runs operations on them. It holds nothing that it could not make again."""

    def __init__(self, paths):
        self.paths = paths  # whether requests may name files of this machine
        self.kept, self.lock = {}, threading.Lock()

    def held(self, version):
        with self.lock:
            return self.kept.get(version)

    def keep(self, version, model):
        with self.lock:
            self.kept[version] = model
            while len(self.kept) > KEPT_VERSIONS:
                self.kept.pop(next(iter(self.kept)))
        return model

    def source(self, source, field):
        if "inline" in source:
            try:
                return base64.b64decode(source["inline"], validate=True)
            except ValueError:
                raise Fault(INVALID_PARAMS, "This is not valid base64.", field=field) from None
        if "path" in source and self.paths:
            try:
                with open(source["path"], "rb") as file:
                    return file.read()
            except FileNotFoundError:
                raise Fault(NOT_FOUND, f"There is no file {source['path']}.", field=field) from None
        raise Fault(PERMISSION_DENIED, "This service takes inline sources only.", field=field)

    def open(self, at, given):
        """The version asked for: held open, or the base with the deltas put over it, each proving the next."""
        wanted = given["version"]
        if model := self.held(wanted):
            return model
        deltas, version = given.get("deltas", []), given.get("base_version", wanted)
        if "base" not in given and self.held(version) is None:
            raise Fault(VERSION_NOT_OPEN, f"Version {wanted} is not open here. Send its base and deltas.", model_version=wanted)
        deltas = [self.source(delta, f"models[{at}].deltas[{n}]") for n, delta in enumerate(deltas)]
        chain = [version]
        for delta in deltas:
            chain.append(version_after(chain[-1], delta))
        if chain[-1] != wanted:
            message = f"Base and deltas lead to version {chain[-1]}, not to {wanted}."
            raise Fault(INVALID_PARAMS, message, field=f"models[{at}].deltas", reached=chain[-1])
        model = self.held(version) or self.keep(version, Model.open(self.source(given["base"], f"models[{at}].base")))
        for version, delta in zip(chain[1:], deltas):
            model = self.held(version) or self.keep(version, model.with_changes(Body(unseal(delta)).changes()))
        return model

    def run(self, endpoint, request):
        started, clock = int(time.time() * 1000), time.perf_counter()
        try:
            operation, models = request["operation"], request.get("models", [])
            name, effect = operation["name"], operation["effect"]
            identity = request["operation_id"]
        except (KeyError, TypeError) as error:
            raise Fault(INVALID_PARAMS, f"The request does not fit the contract: {error}.") from None
        if name not in OPERATIONS or request.get("backend", "example") != "example":
            raise Fault(NOT_SUPPORTED, f"No adapter here resolves {name!r}. /info lists what can be done.", operation=name)
        right, body = OPERATIONS[name]
        if effect != right or endpoint != right:
            raise Fault(INVALID_PARAMS, f"{name} is a {right} operation. Send it to /{right}.", field="operation.effect")
        if 0 < request.get("deadline_ms", 0) < started:
            raise Fault(CANCELLED, f"{name} was not begun before its deadline.", operation=name)
        if len(models) != 1 or models[0].get("kind") != "ifc":
            raise Fault(INVALID_PARAMS, f"{name} works on one model of kind ifc.", field="models")
        params = check(name, operation.get("params"))
        made = body(self.open(0, models[0]), params)
        limit = request.get("limits", {}).get("result_bytes") or RESULT_BYTES
        if len(canonical(made["result"])) > limit:
            raise Fault(LIMIT_REACHED, f"The answer of {name} is larger than {limit} bytes.", limit="result_bytes")
        manifest = {
            "operation_id": identity, "tool": name, "adapter": "example", "adapter_version": "1",
            "inputs": [{member: models[0][member] for member in ("role", "id", "version")}],
            "params_sha256": sha256(canonical(operation.get("params"))),
            "started_ms": started, "duration_us": int((time.perf_counter() - clock) * 1e6),
            "actor": request.get("actor", {"principal": ""}),
        }
        if request.get("reasoning") is not None:
            manifest["reasoning"] = request["reasoning"]
        artifact = {"manifest": manifest, "result": made["result"]}
        if delta := made.get("delta"):
            source = {"inline": base64.b64encode(delta).decode()}
            artifact["changes"] = [{"role": models[0]["role"], "kind": "ifc", "delta": source}]
        for member in ("diff_summary", "event_type"):
            if member in made:
                artifact[member] = made[member]
        return artifact


# --- HTTP ---------------------------------------------------------------------------------------------------------------


def handler(service, token):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30  # a caller that stops in the middle is not waited for

        def answer(self, status, value):
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def guarded(self, act):
            """Every error is a Fault; one that nobody thought of, too, and it ends one call and not the service."""
            try:
                given = self.headers.get("Authorization", "").partition(" ")[2]
                if token and self.path != "/healthz" and not hmac.compare_digest(given.encode(), token.encode()):
                    raise Fault(UNAUTHENTICATED, "This service wants its token: Authorization: Bearer TOKEN.")
                self.answer(200, act())
            except Fault as fault:
                self.answer(STATUS[fault.code], fault.to_json())
            except Exception as error:  # noqa: BLE001
                self.answer(500, Fault(BACKEND_FAILED, f"The example failed: {error!r}. Nothing was changed.").to_json())

        def nowhere(self):
            raise Fault(NOT_FOUND, f"There is no {self.command} {self.path}.", path=self.path)

        def do_GET(self):
            known = {"/info": info, "/healthz": lambda: {"status": "ok"}}
            self.guarded(known.get(self.path, self.nowhere))

        def do_POST(self):
            length = int(self.headers.get("Content-Length", 0))
            if length > BODY_BYTES:
                self.close_connection = True
                return self.answer(413, Fault(LIMIT_REACHED, f"A request may have {BODY_BYTES} bytes.").to_json())
            body = self.rfile.read(length)
            endpoint = self.path.strip("/")

            def act():
                if endpoint not in ("query", "create", "modify"):
                    self.nowhere()
                try:
                    request = json.loads(body)
                except ValueError as error:
                    raise Fault(INVALID_PARAMS, f"The request is no JSON: {error}.") from None
                return service.run(endpoint, request)

            self.guarded(act)

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--listen", default="127.0.0.1:8425", metavar="HOST:PORT")
    parser.add_argument("--token-file", metavar="FILE", help="what callers have to send as bearer token")
    parser.add_argument("--paths", action="store_true", help="requests may name files of this machine")
    options = parser.parse_args()
    host, _, port = options.listen.rpartition(":")
    token = open(options.token_file, encoding="utf-8").read().strip() if options.token_file else None
    if not token and host not in ("127.0.0.1", "localhost", "::1"):
        sys.exit("Others can reach this address: give a token.")
    server = ThreadingHTTPServer((host, int(port)), handler(Service(options.paths), token))
    server.daemon_threads = True
    print(f"listens at http://{host}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
