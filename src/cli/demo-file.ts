import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { makeFolder } from '../platform/private-folder.ts'

const Demo = z.object({
  baseUrl: z.string(),
  business: z.object({ id: z.string(), name: z.string() }),
  liveToken: z.string(),
  sandboxToken: z.string(),
  dashboard: z.object({ url: z.string(), email: z.string(), password: z.string() }),
})

/** The content of `demo.json`, which other programs read. */
export type Demo = z.infer<typeof Demo>

export async function maybeReadDemo(path: string): Promise<Demo | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return Demo.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartError(`${path} is damaged. Remove it, or start without --demo.`, { cause })
  }
}

/** Writes the file atomically, readable by its owner only. */
export async function writeDemo(path: string, demo: Demo): Promise<void> {
  makeFolder(dirname(path), 0o700)
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(demo, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
