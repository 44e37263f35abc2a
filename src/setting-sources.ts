import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

type Values = Record<string, string | undefined>

export interface Sources {
  env: Values
  /** The `.env` file. */
  file: Values
  problems: string[]
}

/**
 * Reads the environment and `.env`. NAME_FILE stands for NAME with the text of that file, for secrets that a container or
 * systemd hands over as files. An empty value counts as unset.
 */
export function readSources(names: readonly string[], given: { env: Values; envFile: string }): Sources {
  const { env, envFile } = given
  const file: Values = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}
  const problems: string[] = []
  const read = { env: withFiles(env, names, problems), file: withFiles(file, names, problems) }
  problems.unshift(...unknown(names, read))
  return { ...read, problems }
}

function withFiles(given: Values, names: readonly string[], problems: string[]): Values {
  const values = { ...given }
  for (const name of names) {
    const path = given[`${name}_FILE`]
    delete values[`${name}_FILE`]
    if (!path) continue
    if (given[name]) problems.push(`${name} and ${name}_FILE are both set. Keep one of them.`)
    try {
      values[name] = readFileSync(path, 'utf8').trim()
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read: ${path}`)
    }
  }
  return values
}

/** Read by the commands for developers, which need no settings. */
const ofDevelopers = new Set(['KITLANE_URL', 'KITLANE_TOKEN', 'KITLANE_WEBHOOK_SECRET'])

function* unknown(names: readonly string[], { env, file }: Pick<Sources, 'env' | 'file'>): Generator<string> {
  const list = `Known settings: ${names.join(', ')}`
  for (const name of Object.keys(file)) {
    if (!names.includes(name) && !name.startsWith('AWS_')) yield `${name} in .env is not a setting of Kitlane. ${list}`
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KITLANE_') || ofDevelopers.has(name)) continue
    const meant = name.slice('KITLANE_'.length)
    const hint = names.includes(meant) ? `Use ${meant}` : list
    yield `${name} is not a setting of Kitlane. ${hint}`
  }
}
