import { unframe } from './frame.ts'
import { parseBytes } from './parse-bytes.ts'
import { Refusal } from './refusal.ts'

const maxOutputChars = 4_500_000
// The service looks up and stores each of them: results, and reports, which may be empty.
const maxFindings = 3_000

/** What a framed file says, as JSON. */
export async function foundIn(input: Uint8Array): Promise<string> {
  const { bytes, limits } = unframe(input)
  const file = await parseBytes(bytes, limits)
  const results = file.reports.reduce((sum, { observations }) => sum + observations.length, 0)
  if (Math.max(results, file.reports.length) > maxFindings) throw new Refusal('TOO_LARGE')
  const json = JSON.stringify(file)
  if (json.length > maxOutputChars) throw new Refusal('TOO_LARGE')
  return json
}
