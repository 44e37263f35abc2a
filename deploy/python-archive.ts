import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

const SOURCES = join(import.meta.dirname, '../client-python')
const SHIPPED = /^(?:LICENSE|README\.md|pyproject\.toml|kitlane\/(?:\w+\.py|py\.typed))$/

/** Writes the Python client as pip installs it into `folder`, and returns its path. The same sources make the same bytes. */
export async function packPython(folder: string): Promise<string> {
  const [, version] = /^version = "(.+)"$/m.exec(readFileSync(join(SOURCES, 'pyproject.toml'), 'utf8')) ?? []
  const name = `kitlane-python-${version}`
  const archive = pack()
  const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => SHIPPED.test(path))
  for (const path of paths.toSorted()) {
    archive.entry({ name: `${name}/${path}`, mtime: new Date(0) }, readFileSync(join(SOURCES, path)))
  }
  archive.finalize()
  const file = join(folder, `${name}.tar.gz`)
  await pipeline(archive, createGzip({ level: 9 }), createWriteStream(file))
  return file
}
