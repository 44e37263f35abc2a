import { Refusal } from './refusal.ts'

/**
 * The main function of a program that `askChild` runs: bytes on stdin; on stdout a line break once they are read, then one
 * JSON object. `find` returns the JSON of what it found.
 */
export async function answerParent(find: (bytes: Uint8Array) => Promise<string>): Promise<void> {
  const answer = await answerTo(readStdin(), find)
  process.stdout.write(answer, () => process.exit(0))
}

/** The JSON object that `askChild` expects. */
export const answerTo = (bytes: Promise<Uint8Array>, find: (bytes: Uint8Array) => Promise<string>): Promise<string> =>
  bytes.then(find).then((found) => `{"found":${found}}`, refusalJson)

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  process.stdout.write('\n')
  return Buffer.concat(chunks)
}

/** Only codes leave the process: messages of libraries may quote the file. */
function refusalJson(error: unknown): string {
  if (!(error instanceof Refusal)) return JSON.stringify({ code: 'PARSE_FAILED' })
  return JSON.stringify({ code: error.code, needsReview: error.needsReview, layout: error.layout })
}
