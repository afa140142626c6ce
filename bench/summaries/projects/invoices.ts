import type { Project } from "./types.ts";

/** Exporting invoices of a billing system. */
export const INVOICES: Project = {
  name: "invoice export",
  locale: "en",
  works: [
    {
      agent: "01-scout",
      title: "Where exports hurt today",
      decision: "Move exports out of the request into a queued job (D-1)",
      tScore: 0.55,
      confidence: 0.84,
      reasons: [
        "the request of tenant acme times out at 30 s with 48,211 invoices",
        "memory peaks at 1.9 GB because `buildCsv` keeps every row",
        "a job can be retried without the customer waiting",
      ],
      rejected: [
        ["Raise the proxy timeout to 180 s", 0.86, "hides the memory peak"],
        ["Stream from the request", 0.62, "a broken connection loses everything after 12 minutes"],
      ],
      contract: [
        "Endpoint `POST /api/exports` answers 202 with `exportId`",
        "`GET /api/exports/{id}` answers `queued | running | done | failed`",
        "Limit: one year per export, at most 250,000 rows",
      ],
      files: [
        ["src/export/build-csv.ts", "the function that keeps all rows"],
        ["src/export/route.ts", "today's synchronous handler"],
        ["db/schema.sql", "table `invoices` has no index on `issued_at`"],
      ],
      findings: [
        "`invoices.issued_at` needs an index: the scan takes 8.4 s of the 30 s",
        "the mail template `export-ready.mjml` exists and is unused",
        "REQ-14 asks for PDF too, REQ-15 for a link that expires after 72 h",
      ],
      critique: ["measured on the real tenant", "only one tenant was measured", "measure three more tenants"],
      next: [
        ["02-architect", "settle queue and table"],
        ["03-builder", "add the index first"],
      ],
      builtOn: [],
      noise: ["billing", "ledger", "tax", "currency", "discount", "coupon"],
    },
    {
      agent: "02-architect",
      title: "Queue and tables",
      decision: "Use a Postgres table `export_jobs` as queue with LISTEN/NOTIFY (D-2)",
      tScore: 0.48,
      confidence: 0.78,
      reasons: [
        "no new service to run, D-1 needs fewer than 40 jobs an hour",
        "`SELECT … FOR UPDATE SKIP LOCKED` gives one worker per job",
        "a job and its invoice rows share one transaction",
      ],
      rejected: [
        ["Redis with BullMQ", 0.88, "a second store to back up"],
        ["SQS", 0.74, "local development needs an emulator"],
        ["Cron every 60 s", 0.81, "customers wait up to a minute"],
      ],
      contract: [
        "Table `export_jobs(id uuid, tenant_id, format, from_date, to_date, state, attempts, failure)`",
        "Channel `export_jobs_new` carries the job id",
        "A worker gives up after 5 attempts, backoff 2 s, 4 s, 8 s",
        "`ExportWorker.claim()` returns a job or null",
      ],
      files: [
        ["db/migrations/0042_export_jobs.sql", "table and partial index on `state`"],
        ["docs/adr/ADR-007.md", "why no Redis"],
      ],
      findings: [
        "the pooler drops LISTEN after 10 minutes of idling: reconnect on `end`",
        "R-3: fonts of the PDF are licensed per server",
      ],
      critique: ["small and testable", "throughput above 200 jobs/h unknown", "load test before GA"],
      next: [
        ["03-builder", "implement `ExportWorker`"],
        ["04-tester", "kill the worker in mid-job"],
      ],
      builtOn: [
        "`POST /api/exports` answers 202 with `exportId` as 01 found necessary (D-1)",
        "the limit of 250,000 rows bounds a job to about 90 s",
        "REQ-15 sets the link to 72 h",
        "`invoices.issued_at` gets its index in the same migration",
      ],
      noise: ["shard", "replica", "vacuum", "pgbouncer", "partition", "toast"],
    },
    {
      agent: "03-builder",
      title: "Worker and CSV stream",
      decision: "Write CSV as a stream of 1,000-row pages through `pipeCsv` (D-3)",
      tScore: 0.52,
      confidence: 0.9,
      reasons: [
        "memory stays below 192 MB for 250,000 rows",
        "pages keep the transaction of `ExportWorker.claim()` short",
        "the first byte is on disk after 0.4 s",
      ],
      rejected: [
        ["Cursor over all rows", 0.79, "holds a snapshot for 90 s"],
        ["COPY to a file", 0.66, "no per-tenant columns"],
      ],
      contract: [
        "`pipeCsv(job, sink)` in `src/export/pipe-csv.ts`",
        "Files go to `exports/{tenant}/{exportId}.csv`",
        "Event `export.finished` carries `exportId`, `rows`, `bytes`",
        "`EXPORT_PAGE_SIZE` defaults to 1000",
      ],
      files: [
        ["src/export/pipe-csv.ts", "the stream"],
        ["src/export/worker.ts", "claim, run, fail"],
        ["src/export/route.ts", "now answers 202"],
        ["test/export/worker.test.ts", "14 tests"],
        ["src/export/build-csv.ts", "deleted"],
      ],
      findings: [
        "`export_jobs.failure` needs 500 characters, errors of the driver are long",
        "the decimal separator follows `tenant.locale`, not the browser",
      ],
      critique: ["memory is tested, not hoped for", "PDF is not started", "share `sink` with the PDF writer"],
      next: [
        ["04-tester", "test 250,000 rows and a kill at page 100"],
        ["05-mailer", "listen to `export.finished`"],
      ],
      builtOn: [
        "`export_jobs` and its channel `export_jobs_new` from D-2",
        "5 attempts with 2 s, 4 s, 8 s",
        "`LISTEN` is renewed on `end`, because the pooler drops it after 10 minutes",
        "`src/export/route.ts` no longer calls `buildCsv`",
      ],
      noise: ["iterator", "chunk", "encoder", "quote", "delimiter", "buffer"],
    },
    {
      agent: "04-tester",
      title: "Breaking the export",
      decision: "Ship behind the flag `exports.queued` for 5 % of tenants (D-4)",
      tScore: 0.58,
      confidence: 0.81,
      reasons: [
        "a kill at page 100 left `exports/acme/….csv` half written twice in 50 runs",
        "250,000 rows took 74 s and 181 MB",
        "the rollback is one flag",
      ],
      rejected: [
        ["Ship to all", 0.83, "the half-written file is not fixed"],
        ["Wait for PDF", 0.7, "REQ-14 may take three weeks"],
      ],
      contract: [
        "`worker.ts` must write to `.part` and rename (T-21)",
        "Alarm when `export_jobs` older than 15 min stay `running`",
      ],
      files: [
        ["test/export/kill.test.ts", "kills at random pages"],
        ["ops/alerts/exports.yaml", "the alarm"],
      ],
      findings: ["`export.finished` was sent before the rename: order matters for 05-mailer"],
      critique: ["50 kills", "one machine only", "repeat on two workers"],
      next: [["05-mailer", "wait for T-21"]],
      builtOn: [
        "`ExportWorker.claim()` under `FOR UPDATE SKIP LOCKED` gave no job twice",
        "`pipeCsv` at `EXPORT_PAGE_SIZE` 1000 stays below 192 MB",
        "`db/migrations/0042_export_jobs.sql` runs in 1.2 s on a copy of production",
        "`ADR-007` stays valid at 40 jobs an hour",
        "`POST /api/exports` answered 202 in 35 ms",
        "the limit of one year holds: 250,000 rows",
      ],
      noise: ["flaky", "seed", "timeout", "container", "signal", "core"],
    },
  ],
};
