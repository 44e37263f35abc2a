import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../domain/errors.ts'
import { makeFolder } from '../../platform/key-file.ts'

const StoredLogin = z.object({ url: z.string(), token: z.string() })
export type Login = z.infer<typeof StoredLogin>

/** `$XDG_CONFIG_HOME/kitlane` or `~/.config/kitlane`. A relative XDG_CONFIG_HOME does not count, as its specification says. */
function folder(): string {
  const { XDG_CONFIG_HOME: given } = process.env
  return join(given && isAbsolute(given) ? given : join(homedir(), '.config'), 'kitlane')
}

export const loginPath = (): string => join(folder(), 'login.json')
const secretPath = () => join(folder(), 'webhook-secret')

/** What `kitlane login` kept, if it did. */
export async function maybeReadLogin(): Promise<Login | undefined> {
  const text = await maybeRead(loginPath())
  if (text === undefined) return undefined
  try {
    return StoredLogin.parse(JSON.parse(text))
  } catch {
    // No cause: the parser's message quotes the file, which holds a token.
    throw new StartError(`${loginPath()} is damaged. Run kitlane login again.`)
  }
}

export const keepLogin = (login: Login): Promise<void> => keep(loginPath(), `${JSON.stringify(login, null, 2)}\n`)

/** Forgets the login and the secret of `kitlane listen`. Says whether there was a login. */
export async function forget(): Promise<boolean> {
  const there = (await maybeStat(loginPath())) !== undefined
  for (const path of [loginPath(), secretPath()]) await rm(path, { force: true })
  return there
}

/** The secret that `kitlane listen` signs with: the same at each start, so that a receiver is set up once. */
export async function storedSecret(make: () => string): Promise<string> {
  const known = (await maybeRead(secretPath()))?.trim()
  if (known) return known
  const made = make()
  await keep(secretPath(), `${made}\n`)
  return made
}

async function keep(path: string, text: string): Promise<void> {
  makeFolder(folder(), 0o700)
  // Renamed, so that nobody sees half of a file, or one with the rights of an older file.
  const made = `${path}.${process.pid}`
  await rm(made, { force: true })
  await writeFile(made, text, { mode: 0o600, flag: 'wx' })
  await rename(made, path)
}

async function maybeRead(path: string): Promise<string | undefined> {
  const found = await maybeStat(path)
  if (!found) return undefined
  // Windows keeps rights elsewhere.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new StartError(`Others on this machine may read ${path}, which holds a secret. Run: chmod 600 ${path}`)
  }
  return readFile(path, 'utf8')
}

const maybeStat = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read: ${error.code}.`, { cause: error })
  })
