#!/usr/bin/env python3
"""Reads traces for Perfetto by Perfetto's own published schema.

    exports.py THREADLAB

Every field must be in the schema, each event on a track that is described, a slice that ends must have begun, and so
must an arrow. The schema is fetched from PyPI; without it nothing is examined, and the script says so.
"""

import os
import subprocess
import sys
import tempfile

import wheels

PROGRAMS = [
    ["run", "deadlock", "--seed", "1"],
    ["run", "producer-consumer", "--seed", "16", "--variant", "if-for-while"],
    ["run", "producer-consumer"],
    ["run", "bounded-buffer", "--seed", "3"],
    ["run", "starving-writer"],
    ["explore", "lost-update"],
]


def unknown(message, fields):
    """Whether the message or a part of it has a field that the schema does not have."""
    if len(fields.UnknownFieldSet(message)) > 0:
        return True
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        parts = value if field.is_repeated else [value]
        if any(unknown(part, fields) for part in parts):
            return True
    return False


def problems(trace, schema, fields):
    found = []
    if unknown(trace, fields):
        found.append("a field that the schema does not have")
    tracks, open_slices, flows, last, arrows = set(), {}, set(), {}, 0
    event_type = schema.TrackEvent.Type
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            tracks.add(packet.track_descriptor.uuid)
            parent = packet.track_descriptor.parent_uuid
            if parent and parent not in tracks:
                found.append(f"the parent {parent} is described after its track")
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        if event.track_uuid not in tracks:
            found.append(f"an event on the track {event.track_uuid}, which is not described")
        if packet.timestamp < last.get(event.track_uuid, 0):
            found.append("time goes backward on a track")
        last[event.track_uuid] = packet.timestamp
        depth = open_slices.get(event.track_uuid, 0)
        if event.type == event_type.TYPE_SLICE_BEGIN:
            open_slices[event.track_uuid] = depth + 1
        elif event.type == event_type.TYPE_SLICE_END:
            if depth == 0:
                found.append("a slice ends that has not begun")
            open_slices[event.track_uuid] = depth - 1
        flows.update(event.flow_ids)
        arrows += len(event.terminating_flow_ids)
        if not flows.issuperset(event.terminating_flow_ids):
            found.append("an arrow ends that has not begun")
    if not last or not arrows:
        found.append("no events, or no arrows")
    return found


def main():
    folder = wheels.folder()
    if folder is None:
        print("skipped: Perfetto's own schema (it cannot be fetched from PyPI with pip)")
        return
    sys.path.insert(0, folder)
    from google.protobuf import unknown_fields
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

    threadlab = os.path.abspath(sys.argv[1])
    events = 0
    with tempfile.TemporaryDirectory() as temporary:
        path, saved = os.path.join(temporary, "trace.pftrace"), os.path.join(temporary, "saved.trace")
        for command in PROGRAMS:
            for words in [[*command, "--save", saved], ["export", saved, path]]:
                subprocess.run([threadlab, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            trace = schema.Trace()
            with open(path, "rb") as file:
                trace.ParseFromString(file.read())
            os.remove(path)
            found = problems(trace, schema, unknown_fields)
            if found:
                raise SystemExit(f"threadlab: the Perfetto trace of '{' '.join(command)}': {found[:5]}")
            events += sum(packet.HasField("track_event") for packet in trace.packet)
    print(f"Perfetto's schema fits {len(PROGRAMS)} traces with {events} events")


if __name__ == "__main__":
    main()
