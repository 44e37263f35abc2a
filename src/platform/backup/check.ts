import { createHash } from 'node:crypto'
import type { KeyProvider } from '../sealing/key-provider.ts'
import { damaged, type Entry } from './archive.ts'
import { Head, Manifest } from './manifest.ts'
import { HEAD_SIGNATURE, MANIFEST_SIGNATURE, type SignatureState, signatureReader } from './signature.ts'

const TEXTS = ['head.json', HEAD_SIGNATURE, 'manifest.json', MANIFEST_SIGNATURE]

/** Reads a backup to its end and compares every part with its manifest. @throws StartError if it is damaged */
export async function checkEntries(
  entries: AsyncIterable<Entry>,
  name: string,
  provider: KeyProvider,
): Promise<{ head: Head; manifest: Manifest; signature: SignatureState }> {
  const texts = new Map<string, Buffer>()
  const hashes = new Map<string, ReturnType<typeof createHash>>()
  for await (const { name: path, content } of entries) {
    const isText = TEXTS.includes(path)
    const text: Buffer[] = []
    // The parts of a table have a number at their end.
    const whole = path.startsWith('files/') ? path : path.slice(0, path.lastIndexOf('/'))
    const hash = hashes.get(whole) ?? createHash('sha256')
    if (!isText) hashes.set(whole, hash)
    for await (const chunk of content) {
      if (isText) text.push(chunk)
      else hash.update(chunk)
    }
    if (isText) texts.set(path, Buffer.concat(text))
  }
  const [headText, manifestText] = [texts.get('head.json'), texts.get('manifest.json')]
  if (!headText || !manifestText) throw damaged(name)
  const head = Head.parse(JSON.parse(headText.toString()))
  const manifest = Manifest.parse(JSON.parse(manifestText.toString()))
  const none = createHash('sha256').digest('hex')
  const digests = new Map([...hashes].map(([path, hash]) => [path, hash.digest('hex')]))
  const is = (path: string, sha256: string) => (digests.get(path) ?? none) === sha256
  const isWhole =
    manifest.tables.every((table) => is(`tables/${table.name}`, table.sha256)) &&
    is('jobs', manifest.jobs.sha256) &&
    manifest.files.every((file) => is(`files/${file.path}`, file.sha256))
  if (!isWhole) throw damaged(name)
  const reader = signatureReader(provider)
  const states = [
    await reader.verify(headText, texts.get(HEAD_SIGNATURE)),
    await reader.verify(manifestText, texts.get(MANIFEST_SIGNATURE)),
  ]
  const signature = states.find((state) => state === 'wrong') ?? states.find((state) => state === 'none') ?? 'valid'
  return { head, manifest, signature }
}
