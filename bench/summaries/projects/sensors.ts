import type { Project } from "./types.ts";

/** Firmware and gateway of a greenhouse. */
export const SENSORS: Project = {
  name: "greenhouse sensors",
  locale: "en",
  works: [
    {
      agent: "s1-protocol",
      title: "A protocol for the nodes",
      decision: "CBOR frames of at most 51 bytes over LoRa SF9 (ADR-1)",
      tScore: 0.41,
      confidence: 0.74,
      reasons: [
        "SF9 reaches the far bay at 410 m with 3 % loss",
        "51 bytes fit one frame without fragmentation",
        "CBOR decodes in 6 KB of flash with `tinycbor`",
      ],
      rejected: [
        ["JSON over MQTT-SN", 0.87, "118 bytes for one reading"],
        ["Protobuf", 0.72, "schema tooling on the node costs 31 KB"],
      ],
      contract: [
        "Frame: `{n: nodeId, s: seq, t: temp_c10, h: hum_p10, b: batt_mv}`",
        "`seq` is 16 bit and wraps; the gateway drops what it saw in the last 64",
        "A node sends every 300 s, jitter 20 s",
      ],
      files: [
        ["firmware/src/frame.c", "encoder, 212 lines"],
        ["docs/protocol.md", "the table of keys"],
      ],
      findings: [
        "channel 3 at 868.5 MHz is noisy after 17:00: the pumps",
        "`batt_mv` below 3,100 means two days left",
      ],
      critique: ["measured in the real bays", "only in dry weather", "measure with full irrigation"],
      next: [["s2-gateway", "decode and store"]],
      builtOn: [],
      noise: ["antenna", "spreading", "gain", "coil", "enclosure", "solder"],
    },
    {
      agent: "s2-gateway",
      title: "The gateway service",
      decision: "One Rust process `gh-gateway` writing to SQLite, synced hourly (ADR-2)",
      tScore: 0.5,
      confidence: 0.8,
      reasons: [
        "the farm loses its uplink about 3 h a week",
        "SQLite took 900 inserts/s on the board, 40 nodes need 0.2",
        "one binary of 4.1 MB to update",
      ],
      rejected: [
        ["InfluxDB on the board", 0.84, "needs 380 MB of memory"],
        ["Only forward to the cloud", 0.77, "loses data without uplink"],
      ],
      contract: [
        "Table `readings(node_id, seq, at, temp_c10, hum_p10, batt_mv)`, unique on `(node_id, seq, at)`",
        "`GET /v1/readings?since=` pages by 500",
        "Socket `/run/gh/decode.sock` takes raw frames",
        "Config in `/etc/gh/gateway.toml`",
      ],
      files: [
        ["gateway/src/decode.rs", "CBOR to `Reading`"],
        ["gateway/src/store.rs", "WAL, batch of 50"],
        ["gateway/Cargo.toml", "4 dependencies"],
      ],
      findings: [
        "a wrapped `seq` with a new `at` is a new reading: unique over three columns",
        "the board's clock is off by 40 s after a power cut until NTP answers",
      ],
      critique: ["survives the uplink", "no encryption at rest", "SQLCipher later"],
      next: [
        ["s3-alerts", "rules over `readings`"],
        ["s4-panel", "read `/v1/readings`"],
      ],
      builtOn: [
        "frames of at most 51 bytes, keys `n s t h b` (ADR-1)",
        "drops what it saw in the last 64 of `seq`",
        "`batt_mv` below 3,100 is stored as a flag",
        "`docs/protocol.md` is the only source for keys",
      ],
      noise: ["tokio", "borrow", "lifetime", "clippy", "musl", "strip"],
    },
    {
      agent: "s3-alerts",
      title: "Alarms that people believe",
      decision: "Alarm after 3 readings in a row beyond a band, not after one (ADR-3)",
      tScore: 0.46,
      confidence: 0.88,
      reasons: [
        "single spikes were 71 % of last month's alarms",
        "three readings are 15 min at 300 s, plants bear 40 min",
        "bands come from `crops.toml`, per bay",
      ],
      rejected: [
        ["Moving average", 0.82, "late by 25 min"],
        ["Anomaly model", 0.35, "nobody can explain an alarm"],
      ],
      contract: [
        "`Alert {bay, kind, since, value_c10}` on topic `gh/alerts`",
        "`kind` is `hot | cold | dry | battery | silent`",
        "`silent` after 900 s without a frame",
        "Quiet hours 22:00 to 05:00 for `battery`",
      ],
      files: [
        ["gateway/src/rules.rs", "bands and counters"],
        ["config/crops.toml", "11 crops"],
        ["gateway/tests/replay.rs", "replays March"],
      ],
      findings: [
        "replayed March: 212 alarms became 48, none of the 9 real ones lost",
        "bay 7 has its sensor above the heater",
      ],
      critique: ["replayed on real data", "bands are guesses for basil", "ask the grower about basil"],
      next: [["s4-panel", "show `since` and acknowledge"]],
      builtOn: [
        "`readings` from ADR-2 with `temp_c10` and `hum_p10`",
        "a node sends every 300 s, so three readings are 15 min",
        "`batt_mv` below 3,100 raises `battery`",
        "`/etc/gh/gateway.toml` names the bands' file",
        "clock off by 40 s after a power cut: rules use `seq` order",
      ],
      noise: ["median", "hysteresis", "sigma", "window", "pager", "mute"],
    },
    {
      agent: "s4-panel",
      title: "The panel in the barn",
      decision: "A static page polling `/v1/readings` every 30 s (ADR-4)",
      tScore: 0.57,
      confidence: 0.83,
      reasons: [
        "works on the old tablet",
        "no build step on the farm",
        "30 s is below the 300 s of the nodes",
      ],
      rejected: [
        ["WebSocket", 0.8, "the tablet's browser drops them"],
        ["Grafana", 0.85, "too much for gloves"],
      ],
      contract: ["`panel/index.html` is 38 KB", "Acknowledge posts to `/v1/alerts/{id}/ack`"],
      files: [
        ["panel/index.html", "the page"],
        ["panel/app.js", "polling"],
      ],
      findings: ["gloves need buttons of 18 mm"],
      critique: ["tested with gloves", "no offline cache", "service worker"],
      next: [["s1-protocol", "report `bay` in the frame"]],
      builtOn: [
        "`GET /v1/readings?since=` pages by 500",
        "`Alert` on `gh/alerts` with `since`, kinds `hot | cold | dry | battery | silent`",
        "quiet hours 22:00 to 05:00",
        "`crops.toml` gives the bands to draw",
        "`gh-gateway` serves `panel/index.html` itself",
        "bay 7 is marked: its sensor is above the heater",
        "868.5 MHz noise after 17:00 shows as `silent`",
      ],
      noise: ["viewport", "svg", "contrast", "glare", "tablet", "font"],
    },
  ],
};
