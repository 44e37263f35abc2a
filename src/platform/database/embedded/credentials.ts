import { readFile } from 'node:fs/promises'
import { StartError } from '../../../domain/errors.ts'
import { errorCode } from '../../key-file.ts'
import type { DataFolder } from './folder.ts'

/** The passwords of the three roles of an embedded cluster. */
export interface Credentials {
  superPassword: string
  ownerPassword: string
  appPassword: string
}

export interface ClusterUrls {
  /** Makes and changes tables; no superuser. */
  ownerUrl: string
  /** What the service runs as; bound by row-level security. */
  appUrl: string
  superUrl: string
}

export const roles = { super: 'kitlane_super', owner: 'kitlane_owner', app: 'kitlane_app' } as const
export const databaseName = 'kitlane'

export function clusterUrls(credentials: Credentials, port: number): ClusterUrls {
  const url = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
  return {
    ownerUrl: url(roles.owner, credentials.ownerPassword, databaseName),
    appUrl: url(roles.app, credentials.appPassword, databaseName),
    superUrl: url(roles.super, credentials.superPassword, 'postgres'),
  }
}

export async function maybeReadCredentials(folder: DataFolder): Promise<Credentials | undefined> {
  let text: string
  try {
    text = await readFile(folder.credentials, 'utf8')
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    throw new StartError(
      `The file ${folder.credentials} cannot be read (${errorCode(cause)}). Start Kitlane as the user who made it.`,
      { cause },
    )
  }
  try {
    const { superPassword, ownerPassword, appPassword }: Partial<Credentials> = JSON.parse(text)
    if (superPassword && ownerPassword && appPassword) return { superPassword, ownerPassword, appPassword }
  } catch {
    // Not JSON: the sentence below says all that helps, the text itself is secret.
  }
  throw new StartError(`The file ${folder.credentials} is damaged. Put it back from a backup of the data folder.`)
}
