import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { generateX25519Identity } from 'age-encryption'
import { beforeAll, expect, it } from 'vitest'
import { readArchive, writeArchive } from '../../src/platform/backup/archive.ts'
import { type BackupKey, readBackupKey } from '../../src/platform/backup/key.ts'

let key: BackupKey
let archive: Buffer
// Many parts, as tables have: damage is found while one of them is read.
const parts = Array.from({ length: 20 }, () => Buffer.from(randomBytes(100_000).toString('hex')))

beforeAll(async () => {
  key = (await readBackupKey(await generateX25519Identity())) as BackupKey
  const chunks: Buffer[] = []
  await writeArchive(
    key,
    async (bytes) => {
      for await (const chunk of bytes) chunks.push(chunk)
    },
    async (writer) => {
      for (const part of parts) await writer.add('part', part)
    },
  )
  archive = Buffer.concat(chunks)
})

/** As a disk gives them. */
function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

async function read(bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const entry of readArchive(key, Readable.from(pieces(bytes)), 'the file')) {
    for await (const chunk of entry.content) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

it('an archive gives back what was written', async () => {
  expect((await read(archive)).equals(Buffer.concat(parts))).toBe(true)
})

it.each([
  ['changed', (bytes: Buffer) => bytes.with(2_000_000, (bytes[2_000_000] ?? 0) ^ 1)],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, 2_000_000)],
])('an archive that was %s in its middle is called damaged', async (_what, damage) => {
  await expect(read(Buffer.from(damage(archive)))).rejects.toThrow(/the file is damaged or cut short/)
})

it.each(['files/../../x', '../x', '/etc/x', 'files//x', 'files/./x', 'files/..\\x', 'C:/x'])(
  'an archive with a file whose name leads outside of its folder is refused with what to do: %s',
  async (path) => {
    const chunks: Buffer[] = []
    const collect = async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) chunks.push(chunk)
    }
    await writeArchive(key, collect, (writer) => writer.add(path, Buffer.from('x')))
    await expect(read(Buffer.concat(chunks))).rejects.toThrow(
      /^the file holds a file whose name leads outside of its folder.*nothing of it was restored.*take another backup/,
    )
  },
)
