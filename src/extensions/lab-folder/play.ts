import { access, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { Playing } from '../../modules/define-module.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Folder, foldersIn, QUESTION } from './files.ts'
import { RESULTS } from './watch.ts'

const ABOUT = 'laboratory folder'
const ANSWER_MS = 15_000
const LOOK_MS = 200
const LONG_MS = 10 * 60_000
// No message with results: it is refused, and nothing is kept.
const MESSAGE = 'MSH|^~\\&|DOCTOR||||||ADT^A01|doctor|P|2.5.1\r'

/** Whether the service looks into the folder, whether its token counts, and what waits there for a person. */
export async function* playFolder({ settings, send }: Playing): AsyncGenerator<Finding> {
  const { labFolder } = settings
  if (!labFolder) {
    yield warn(ABOUT, 'Off: LAB_FOLDER_PATH is not set.', 'Set LAB_FOLDER_PATH if a laboratory sends files by SFTP.')
    return
  }
  const folders = await foldersIn(labFolder.path).catch(() => [])
  if (folders.length === 0) {
    yield fail(ABOUT, 'The folder cannot be read.', 'Make the folder LAB_FOLDER_PATH, and let the service read it.')
    return
  }
  const found = await Promise.all(folders.map(stateOf))
  const isAlone = !found.some(({ state }) => state === 'looked') && found.some(({ state }) => state === 'alone')
  // The top one belongs to root where each laboratory is shut into a folder of its own.
  const closed = found
    .slice(found.length > 1 ? 1 : 0)
    .filter(({ state }) => state === 'closed' || (state === 'alone' && !isAlone))
  if (closed.length > 0)
    yield fail(
      ABOUT,
      `Folders that cannot be read or written to: ${closed.map(({ name }) => name).join(', ')}.`,
      'Let the service read and write the folder of each laboratory, to acknowledge files by moving them.',
    )
  if (isAlone)
    yield fail(
      ABOUT,
      'The service does not look into it.',
      'Start the service with the LAB_FOLDER_… of these settings, on this machine.',
    )
  const waiting = found.filter(({ waits }) => waits > 0)
  if (waiting.length > 0)
    yield fail(
      ABOUT,
      `Files wait for more than ten minutes: ${waiting.map(({ name, waits }) => `${waits} in ${name}`).join(', ')}.`,
      'Read what the log says of files and folders of laboratories. The service has to read each file, and to write its folder, done and refused.',
    )
  const refused = found.reduce((sum, one) => sum + one.refused, 0)
  const headers = { authorization: `Token ${labFolder.token}`, 'content-type': 'application/hl7-v2' }
  const status = await send(RESULTS, { headers, body: MESSAGE })
  const isKnown = status !== 401 && status !== 403
  if (!isKnown)
    yield fail(
      ABOUT,
      `The token does not count (${status}).`,
      'Set LAB_FOLDER_TOKEN to a token of the operator with the scope results.',
    )
  if (refused > 0)
    yield warn(
      ABOUT,
      `Refused files wait for a person: ${refused}.`,
      'Read the .why.txt beside each file in the folders "refused", and delete what is settled.',
    )
  else if (!isAlone && isKnown && closed.length + waiting.length === 0)
    yield ok(ABOUT, `The service looks into it (folders: ${folders.length}), and no file there was refused.`)
}

interface State {
  name: string
  /** `closed`: the question, whether somebody looks, cannot be put there. */
  state: 'looked' | 'alone' | 'closed'
  refused: number
  waits: number
}

async function stateOf(folder: Folder): Promise<State> {
  const name = basename(folder.path)
  try {
    const [state, refused, files] = await Promise.all([isLookedInto(folder.path), folder.refused(), folder.files()])
    // By the clock that no sender sets.
    const waits = files.filter(({ changedMs }) => systemClock.now().getTime() - changedMs > LONG_MS).length
    return { name, state, refused, waits }
  } catch {
    return { name, state: 'closed', refused: 0, waits: 0 }
  }
}

/** Whether somebody deletes a question there. */
async function isLookedInto(folder: string): Promise<State['state']> {
  const question = join(folder, QUESTION)
  try {
    await rm(question, { force: true })
    // A new file: a laboratory could have put a link there, to another of ours.
    await (await open(question, 'wx')).close()
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
