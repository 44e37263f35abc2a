// Which compiled form is that of these sources. Plain JavaScript: to strip the types of this file would take longer than its work.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// All that decides what comes out.
const SOURCES = ['src', 'display', 'packages/lab-reader/src', 'client/src']
const OWN = ['deploy/bundle.ts', 'deploy/compile-draft.js', 'deploy/compiled.js', 'package.json', 'tsconfig.json']
// Of many files each, of which little is used: reading them took a third of the time of a short command.
const PACKAGES = ['commander', 'kysely', 'zod']
// A process loads parts of its form late, while newer ones are made.
const KEPT = 8
// The exit code of compile-draft.js.
const CANNOT = 3

/** The folder with the compiled form of exactly the sources below `root`, which is made if it is missing. */
export async function compiledSources(root) {
  const kept = join(root, '.compiled')
  for (;;) {
    const name = hashOf(root)
    const folder = join(kept, name)
    if (existsSync(folder)) return folder
    const draft = join(kept, `draft-${process.pid}-${performance.now()}`)
    if (!make(root, draft)) return undefined
    // Somebody may have saved a file meanwhile.
    if (hashOf(root) === name) putInPlace(draft, folder)
    else rmSync(draft, { recursive: true })
    removeOld(kept)
  }
}

function hashOf(root) {
  const hash = createHash('sha256')
  const add = (path) => hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  for (const folder of SOURCES) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    const paths = files.map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    for (const path of paths.sort()) add(path)
  }
  for (const path of OWN) add(path)
  for (const name of [...PACKAGES, 'rolldown']) {
    const path = `node_modules/${name}/package.json`
    if (existsSync(join(root, path))) add(path)
  }
  return hash.digest('hex').slice(0, 32)
}

/** False where it cannot be made: without the development packages, or in a folder that may only be read. */
function make(root, draft) {
  const program = fileURLToPath(new URL('./compile-draft.js', import.meta.url))
  const { status, error } = spawnSync(process.execPath, [program, root, draft, ...PACKAGES], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status === 0) return true
  rmSync(draft, { recursive: true, force: true })
  if (status === CANNOT) return false
  throw error ?? new Error('The sources could not be compiled')
}

/** Another process may have been faster: its form is as good. */
function putInPlace(draft, folder) {
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(draft, { recursive: true })
  }
}

function removeOld(kept) {
  const ageOf = (name) => -(statSync(join(kept, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const forms = readdirSync(kept).map((name) => ({ name, age: ageOf(name) }))
  for (const { name } of forms.sort((one, other) => one.age - other.age).slice(KEPT))
    rmSync(join(kept, name), { recursive: true, force: true })
}
