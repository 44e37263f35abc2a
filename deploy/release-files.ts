// npm run release:files [-- <folder>]: the package, those of the clients, the list of parts and their checksums, as a release has them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packPython } from './python-archive.ts'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = resolve(process.argv[2] ?? join(root, 'release'))
const npm = (...args: string[]) =>
  execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
npm('pack', '--silent', '--pack-destination', folder)
npm('pack', '--silent', '--workspace', 'client', '--pack-destination', folder)
await packPython(folder)
writeFileSync(join(folder, `kitlane-${version}.cdx.json`), npm('run', '--silent', 'sbom'))
const sums = readdirSync(folder)
  .toSorted()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log(`${folder}:\n${sums.join('')}Sign SHA256SUMS next: docs/releasing.md`)
