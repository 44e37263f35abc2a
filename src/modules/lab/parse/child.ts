import { parseBytes } from './parse-bytes.ts'
import { Observation } from './parsed.ts'
import { Refusal } from './refusal.ts'

// Runs alone in a process of its own (see ../read-in-child.ts): bytes on stdin, one JSON object on stdout, nothing else.
const maxOutputChars = 4_500_000
// What the service then has to look up and store: results, and reports, which may hold none.
const maxFindings = 3_000

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function answer(): Promise<string> {
  const file = await parseBytes(await readStdin(), { maxPages: Number(process.argv[2]) })
  const results = file.reports.reduce((sum, { observations }) => sum + observations.length, 0)
  if (Math.max(results, file.reports.length) > maxFindings) throw new Refusal('TOO_LARGE')
  for (const { observations } of file.reports) for (const one of observations) Observation.parse(one)
  const json = JSON.stringify({ file })
  if (json.length > maxOutputChars) throw new Refusal('TOO_LARGE')
  return json
}

/** Only codes leave: what libraries say may quote the file. */
function refused(error: unknown): string {
  if (!(error instanceof Refusal)) return JSON.stringify({ code: 'PARSE_FAILED' })
  return JSON.stringify({ code: error.code, needsReview: error.needsReview })
}

const json = await answer().catch(refused)
process.stdout.write(json, () => process.exit(0))
