import { createHash } from 'node:crypto'
import { damaged, type Entry } from './archive.ts'
import { Head, Manifest } from './manifest.ts'

/** Reads a backup to its end and compares every part with its manifest. @throws StartError if it is damaged */
export async function checkEntries(
  entries: AsyncIterable<Entry>,
  name: string,
): Promise<{ head: Head; manifest: Manifest }> {
  let head: Head | undefined
  let manifest: Manifest | undefined
  const hashes = new Map<string, ReturnType<typeof createHash>>()
  for await (const { name: path, content } of entries) {
    const isText = path === 'head.json' || path === 'manifest.json'
    const text: Buffer[] = []
    // The parts of a table have a number at their end.
    const whole = path.startsWith('files/') ? path : path.slice(0, path.lastIndexOf('/'))
    const hash = hashes.get(whole) ?? createHash('sha256')
    if (!isText) hashes.set(whole, hash)
    for await (const chunk of content) {
      if (isText) text.push(chunk)
      else hash.update(chunk)
    }
    if (path === 'head.json') head = Head.parse(JSON.parse(Buffer.concat(text).toString()))
    if (path === 'manifest.json') manifest = Manifest.parse(JSON.parse(Buffer.concat(text).toString()))
  }
  if (!head || !manifest) throw damaged(name)
  const none = createHash('sha256').digest('hex')
  const digests = new Map([...hashes].map(([path, hash]) => [path, hash.digest('hex')]))
  const is = (path: string, sha256: string) => (digests.get(path) ?? none) === sha256
  const isWhole =
    manifest.tables.every((table) => is(`tables/${table.name}`, table.sha256)) &&
    is('jobs', manifest.jobs.sha256) &&
    manifest.files.every((file) => is(`files/${file.path}`, file.sha256))
  if (!isWhole) throw damaged(name)
  return { head, manifest }
}
