// `npm version` runs this. It moves what CHANGELOG.md has under "Unreleased" to the new version, dated today (UTC), and gives
// the clients the same version.
import { readFileSync, writeFileSync } from 'node:fs'

const HEADING = '## Unreleased\n'

/** @throws Error if there is nothing to release */
export function dateChangelog(changelog: string, version: string, date: string): string {
  const unreleased = changelog.split(HEADING)[1]?.split(/^## /m)[0] ?? ''
  if (!unreleased.trim()) throw new Error('CHANGELOG.md has nothing under "Unreleased": there is nothing to release.')
  return changelog.replace(HEADING, `${HEADING}\n## ${version} - ${date}\n`)
}

/** The text of client/package.json, or of package-lock.json, with the client at this version. */
export function raiseClient(json: string, version: string): string {
  const file = JSON.parse(json)
  const client = file.packages?.client ?? file
  client.version = version
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/** The text of client-python/pyproject.toml with the client at this version. */
export const raisePython = (toml: string, version: string): string =>
  toml.replace(/^version = ".*"$/m, `version = "${version}"`)

if (import.meta.main) {
  const { npm_package_version: version } = process.env
  if (!version) throw new Error('Run this as: npm version <minor or patch> -m "Release %s"')
  const change = (name: string, to: (text: string) => string) => {
    const path = new URL(`../${name}`, import.meta.url)
    writeFileSync(path, to(readFileSync(path, 'utf8')))
  }
  change('CHANGELOG.md', (text) => dateChangelog(text, version, new Date().toISOString().slice(0, 10)))
  for (const name of ['client/package.json', 'package-lock.json']) change(name, (text) => raiseClient(text, version))
  change('client-python/pyproject.toml', (text) => raisePython(text, version))
}
