/** A shared context as leads write them: 130 lines, front matter, phases, decisions table, contracts. Self-written. */
export const CONTEXT: string = `---
version: GC-v3
created: 2026-02-07
feature: invoice-export
complexity: MEDIUM
---

# Global Context: invoice export

## Scope

**Goal:** Customers export their invoices as CSV and PDF without waiting on the page.

**In Scope:**
- Export of up to 50,000 invoices per request
- CSV with a fixed column order, PDF with the customer's letterhead
- A download link by mail, valid for seven days

**Out of Scope:**
- Import of invoices
- Exports on a schedule

## Phase Pipeline Status

- Phase 1: COMPLETE (Gate 1 APPROVED)
- Phase 2: COMPLETE (Gate 2 APPROVED)
- Phase 3: IN_PROGRESS
- Phase 4: PENDING
- Phase 5: PENDING

## Constraints

- Node 24, PostgreSQL 16, no new services
- Memory of a worker stays below 256 MB: stream, never collect
- Every file is written once and never edited: a retry writes a new one
- Personal data leaves the system only through the signed link
- All times are UTC in files and local on screen

## Decisions Log

| ID | Decision | Reason | Phase |
|----|----------|--------|-------|
| D-1 | Jobs live in the database | No new service, transactions with the order | P1 |
| D-2 | One row per export request | Retry and audit need its history | P1 |
| D-3 | CSV by hand, PDF by pdfkit | CSV is forty lines, PDF is not | P2 |
| D-4 | Links are signed, not stored | Nothing to clean up after seven days | P2 |
| D-5 | Workers poll every two seconds | Simple, cheap enough at our load | P2 |

## Architecture

### AD-1: Request and work are separate

The request handler writes a row and answers at once. A worker takes the oldest open row, locks it with
\`FOR UPDATE SKIP LOCKED\`, streams invoices into the file and marks the row done.

### AD-2: Files are addressed by content

A file's name is the hash of its bytes. Uploading twice is harmless and a broken upload is never visible.

### AD-3: The mailer is a subscriber

It reads finished rows and sends one mail each; it knows nothing of files but the link.

## Interface Contracts

\`\`\`ts
export interface ExportRequest {
  customerId: string;
  format: "csv" | "pdf";
  from: Date;
  to: Date;
}

export interface ExportJob {
  id: string;
  state: "open" | "running" | "done" | "failed";
  attempts: number;
  file?: string;
}
\`\`\`

- \`POST /exports\` takes an ExportRequest and answers 202 with an ExportJob
- \`GET /exports/:id\` answers the ExportJob
- \`GET /files/:hash\` answers the file when the signature is valid

## Research Findings

- The invoice table has 41 million rows; the index on (customer_id, issued_at) covers every export query
- pdfkit streams, but fonts are loaded whole: load them once per worker
- The largest customer has 48,211 invoices a year, 61 MB as CSV and 1.9 GB as PDF
- Mail links are opened by scanners before people see them: GET must have no effect

## File Ownership

| Teammate | Files |
|----------|-------|
| builder-api | src/exports/routes.ts, src/exports/request.ts |
| builder-worker | src/exports/worker.ts, src/exports/csv.ts, src/exports/pdf.ts |
| builder-mail | src/mail/export-ready.ts |
| tester | test/exports/** |

## Open Questions

- Q-1: Do we keep failed files for support? (owner: lead)
- Q-2: Which letterhead applies to merged customers? (owner: product)

## Risks

- R-1: PDF of the largest customer exceeds the mail provider's time limit for links
- R-2: Two workers on one machine exceed the memory limit together
- R-3: Fonts are licensed per server

## Test Strategy

- Unit: CSV escaping, date ranges, signatures
- Integration: one request of each format against a seeded database
- Load: 20 exports at once on one worker, memory below the limit throughout

## Glossary

- Export: one request and the file that answers it
- Worker: a process that takes open rows, at most one at a time
- Letterhead: logo and address block of the customer's contract

## Next Actions

1. builder-worker: finish the CSV stream and its memory test
2. builder-api: reject ranges above one year
3. tester: end-to-end test with 50,000 invoices
4. lead: answer Q-1 before the gate
`;

/** One of the documents' four ordinary edits, with the most tokens its message may cost. */
export interface Scenario {
  readonly name: string;
  readonly limit: number;
  readonly next: string;
}

function edited(...pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((text, [old, next]) => {
    if (text.split(old).length !== 2) throw new Error(`Not exactly once in the context: ${old}`);
    return text.replace(old, () => next);
  }, CONTEXT);
}

const VERSION = ["version: GC-v3", "version: GC-v4"] as const;

/** Status only, one section, two or three sections, a phase change; each with the version line. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "status only",
    limit: 60,
    next: edited(VERSION, ["- Phase 3: IN_PROGRESS", "- Phase 3: COMPLETE"]),
  },
  {
    name: "one section",
    limit: 90,
    next: edited(
      VERSION,
      [
        "- Every file is written once and never edited: a retry writes a new one\n",
        "- Every file is written once and never edited: a retry writes a new one\n- At most two exports of one customer run at once\n",
      ],
      ["below 256 MB", "below 192 MB"],
    ),
  },
  {
    name: "2–3 sections",
    limit: 130,
    next: edited(
      VERSION,
      ["Workers poll every two seconds", "Workers wait on LISTEN/NOTIFY"],
      ["- Q-1: Do we keep failed files for support? (owner: lead)\n", ""],
      [
        "4. lead: answer Q-1 before the gate\n",
        "4. lead: prepare Gate 3\n5. builder-worker: reconnect when LISTEN drops\n",
      ],
    ),
  },
  {
    name: "phase change",
    limit: 225,
    next: edited(
      VERSION,
      [
        "- Phase 3: IN_PROGRESS\n- Phase 4: PENDING",
        "- Phase 3: COMPLETE (Gate 3 APPROVED)\n- Phase 4: IN_PROGRESS",
      ],
      [
        "| P2 |\n\n## Architecture",
        "| P2 |\n| D-6 | Ranges above one year are split | The largest customer stays below the limits | P3 |\n" +
          "| D-7 | Failed files are kept for a day | Support asks within hours | P3 |\n\n## Architecture",
      ],
      ["- Q-1: Do we keep failed files for support? (owner: lead)\n", ""],
      ["- R-1: PDF of the largest customer exceeds the mail provider's time limit for links\n", ""],
      [
        "1. builder-worker: finish the CSV stream and its memory test\n2. builder-api: reject ranges above one year\n" +
          "3. tester: end-to-end test with 50,000 invoices\n4. lead: answer Q-1 before the gate\n",
        "1. builder-worker: PDF stream, fonts loaded once\n2. builder-mail: one mail per finished row\n" +
          "3. tester: link scanners, expired links\n",
      ],
    ),
  },
];
