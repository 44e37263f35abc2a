import { chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../errors.ts'
import { errorCode } from './folder.ts'

export interface Account {
  uid: number
  gid: number
}

/** Whom PostgreSQL runs as; undefined is "as ourselves". It refuses to run as root, so root hands it to `nobody`. */
export async function databaseAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const nobody = await findNobody()
  // A folder copied or restored by root belongs to root: give it back.
  if (owner) await giveTree(cluster, nobody)
  return nobody
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

async function findNobody(): Promise<Account> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const found = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users)
  return found ? { uid: Number(found[1]), gid: Number(found[2]) } : { uid: 65534, gid: 65534 }
}

async function giveTree(root: string, { uid, gid }: Account): Promise<void> {
  for (const name of await readdir(root, { recursive: true })) await lchown(join(root, name), uid, gid)
  await chown(root, uid, gid)
}
