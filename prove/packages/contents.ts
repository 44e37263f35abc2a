import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

// 3.0 MB and 7.9 MB on 2026-12-01: 0.2 of names of tests in thirty languages, 0.15 of names, reasons and PDFs in six, the rest of
// modules and words.
const MAX_PACKED_BYTES = 3_000_000
const MAX_UNPACKED_BYTES = 7_950_000
const ALLOWED =
  /^package\/(package\.json|LICENSE|NOTICE|README\.md|bin\/kitlane\.js|migrations\/(\d{4}_\w+\/)?\d+_\w+\.sql|deploy\/systemd\/[\w@-]+\.(service|socket)|ops\/prometheus\/(alerts|prometheus)\.yaml|ops\/grafana\/kitlane\.json|web\/dist\/(index\.html|assets\/[\w.-]+)|dist\/((openapi(-dashboard|-operator)?|docs)\.json\.br|src\/docs\/assets\/icon\.svg|(src|chunks|packages\/lab-reader\/src)\/[\w/.-]+\.(js|json|css)))$/
// Of 10; 1.4 on 2026-11-22.
const MAX_EXPOSURE = 2

/** Checks what is in the package. Returns its size as a sentence. */
export async function checkContents(tarball: string): Promise<string> {
  const listed = execFileSync('tar', ['--list', '--verbose', '--gzip', '--file', tarball], { encoding: 'utf8' })
  const entries = listed
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
    .map((words) => ({ bytes: Number(words[2]), path: words[5] ?? '' }))
  const others = entries.filter(({ path }) => !ALLOWED.test(path) || /\.(test|map)\b/.test(path))
  if (others.length > 0) throw new Error(`The package holds ${others.map(({ path }) => path).join(', ')}`)
  const unpacked = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  const { size: packed } = await stat(tarball)
  const sizes = `${(packed / 1e6).toFixed(1)} MB, ${(unpacked / 1e6).toFixed(1)} MB unpacked, ${entries.length} files`
  if (packed > MAX_PACKED_BYTES || unpacked > MAX_UNPACKED_BYTES) throw new Error(`The package is too large: ${sizes}`)
  return `the package holds what runs and nothing else: ${sizes}`
}

/** Checks the units with systemd's own tools. Returns their scores as a sentence. */
export function checkUnits(root: string): string {
  const folder = join(root, 'deploy/systemd')
  const units = readdirSync(folder)
  for (const name of units) {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], {
      encoding: 'utf8',
    })
    if (status !== 0 || stderr !== '') throw new Error(`${name}: ${stderr}`)
  }
  const services = units.filter((name) => name.endsWith('.service'))
  const scores = services.map((name) => {
    const path = join(folder, name)
    const text = execFileSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    const score = /exposure level for \S+: ([\d.]+)/.exec(text)?.[1]
    if (!score || Number(score) > MAX_EXPOSURE) throw new Error(`${name} is exposed: ${score}`)
    return `${name} ${score}`
  })
  return `systemd verifies the units, with these exposure levels (0 to 10): ${scores.join(', ')}`
}
