import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { Playing } from '../../modules/define-module.ts'
import { QUESTION, RESULTS, refusedIn } from './watch.ts'

const ABOUT = 'laboratory folder'
const ANSWER_MS = 15_000
const LOOK_MS = 200
// No message with results: it is refused, and nothing is kept.
const MESSAGE = 'MSH|^~\\&|DOCTOR||||||ADT^A01|doctor|P|2.5.1\r'

/** Whether the service looks into the folder, whether its token counts, and what waits there for a person. */
export async function* playFolder({ settings, send }: Playing): AsyncGenerator<Finding> {
  const { labFolder } = settings
  if (!labFolder) {
    yield warn(ABOUT, 'Off: LAB_FOLDER_PATH is not set.', 'Set LAB_FOLDER_PATH if a laboratory sends files by SFTP.')
    return
  }
  const { folders, refused } = await refusedIn(labFolder.path).catch(() => ({ folders: [], refused: 0 }))
  if (folders.length === 0) {
    yield fail(ABOUT, 'The folder cannot be read.', 'Make the folder LAB_FOLDER_PATH, and let the service read it.')
    return
  }
  const looked = await Promise.all(folders.map(isLookedInto))
  const isAlone = looked.includes('alone')
  // The top one belongs to root where each laboratory is shut into a folder of its own.
  const closed = (folders.length > 1 ? looked.slice(1) : looked).filter((one) => one === 'closed').length
  if (closed > 0)
    yield fail(
      ABOUT,
      `Folders that cannot be written to: ${closed}.`,
      'Let the service write the folder of each laboratory, to acknowledge files by moving them.',
    )
  if (isAlone)
    yield fail(
      ABOUT,
      'The service does not look into it.',
      'Start the service with the LAB_FOLDER_… of these settings, on this machine.',
    )
  const headers = { authorization: `Token ${labFolder.token}`, 'content-type': 'application/hl7-v2' }
  const status = await send(RESULTS, { headers, body: MESSAGE })
  const isKnown = status !== 401 && status !== 403
  if (!isKnown)
    yield fail(
      ABOUT,
      `The token does not count (${status}).`,
      'Set LAB_FOLDER_TOKEN to a token of the operator with the scope lab.',
    )
  if (refused > 0)
    yield warn(
      ABOUT,
      `Refused files wait for a person: ${refused}.`,
      'Read the .why.txt beside each file in the folders "refused", and delete what is settled.',
    )
  else if (!isAlone && isKnown)
    yield ok(ABOUT, `The service looks into it (folders: ${folders.length}), and no file there was refused.`)
}

/** Whether somebody deletes a question there; `closed`: it cannot be put. */
async function isLookedInto(folder: string): Promise<'looked' | 'alone' | 'closed'> {
  const question = join(folder, QUESTION)
  try {
    await writeFile(question, '')
  } catch {
    return 'closed'
  }
  try {
    for (const end = performance.now() + ANSWER_MS; performance.now() < end; await delay(LOOK_MS))
      if (!(await exists(question))) return 'looked'
    return 'alone'
  } finally {
    await rm(question, { force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
