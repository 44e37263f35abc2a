import { chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../../domain/errors.ts'
import { errorCode } from '../../key-file.ts'

export interface Account {
  uid: number
  gid: number
}

// Names nobody on Debian, Fedora and systemd hosts: distributions give out none of these, and nothing hands them out on
// demand. Below 65536, which is all that a container may map.
const OWN_IDS = { first: 60_747, last: 61_183 } as const
const NOBODY: Account = { uid: 65_534, gid: 65_534 }

/**
 * Whom PostgreSQL runs as; undefined is "as ourselves". It refuses to run as root, so root hands it to an account of its
 * own: what runs as `nobody`, or as anybody else, reads nothing of it. A folder of an ordinary user stays theirs.
 */
export async function databaseAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && !(await isShared(owner.uid))) return { uid: owner.uid, gid: owner.gid }
  return freeAccount()
}

/** Gives a folder of root's, or of `nobody`'s, to the account: one copied, restored, or made by a version before. */
export async function takeOver(cluster: string, account: Account | undefined): Promise<void> {
  const owner = await stat(cluster).catch(() => undefined)
  if (!account || !owner || owner.uid === account.uid) return
  for (const name of await readdir(cluster, { recursive: true }))
    await lchown(join(cluster, name), account.uid, account.gid)
  await give(cluster, account)
}

export async function give(path: string, account: Account | undefined): Promise<void> {
  if (!account) return
  await chown(path, account.uid, account.gid).catch((cause) => {
    throw new StartError(
      `PostgreSQL may not run as root, and ${path} cannot be given to user ${account.uid} (${errorCode(cause)}). ` +
        'Start Kitlane as an ordinary user, or set DATABASE_URL.',
      { cause },
    )
  })
}

/** `initdb` wants an account that has a name. Nobody but root can enter the folder in which it runs. */
export async function namedAccount(): Promise<Account> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const found = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users)
  return found ? { uid: Number(found[1]), gid: Number(found[2]) } : NOBODY
}

async function isShared(uid: number): Promise<boolean> {
  return uid === 0 || uid === NOBODY.uid || uid === (await namedAccount()).uid
}

/** The first number that no account and no group of this machine has. */
async function freeAccount(): Promise<Account> {
  const taken = new Set([...(await idsIn('/etc/passwd')), ...(await idsIn('/etc/group'))])
  for (let id = OWN_IDS.first; id <= OWN_IDS.last; id++) if (!taken.has(id)) return { uid: id, gid: id }
  throw new StartError(
    `PostgreSQL may not run as root, and every user number from ${OWN_IDS.first} to ${OWN_IDS.last} is taken. ` +
      'Start Kitlane as an ordinary user, or set DATABASE_URL.',
  )
}

/** The numbers in a file of accounts or groups. */
async function idsIn(file: string): Promise<number[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  return lines.flatMap(([, , id]) => (id ? [Number(id)] : []))
}
