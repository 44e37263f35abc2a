import { Refusal } from '../refusal.ts'
import { recogniseFile } from './recognise.ts'

// Runs alone in a process of its own (see ../../read-in-child.ts): bytes on stdin, one JSON object on stdout, nothing else.

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function answer(): Promise<string> {
  const [, , maxPages, budgetMs] = process.argv
  const seen = await recogniseFile(await readStdin(), { maxPages: Number(maxPages), budgetMs: Number(budgetMs) })
  return JSON.stringify({ seen })
}

/** Only codes leave: what libraries say may quote the file. */
const refused = (error: unknown) => JSON.stringify({ code: error instanceof Refusal ? error.code : 'PARSE_FAILED' })

const json = await answer().catch(refused)
process.stdout.write(json, () => process.exit(0))
