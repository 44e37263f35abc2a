import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const require = createRequire(import.meta.url)
const modules = resolve(import.meta.dirname, '../../node_modules')

interface Found {
  path: string
  env: Record<string, string>
}

/** The Chromium of CHROMIUM_PATH, else the one that the npm package `@sparticuz/chromium` holds for Linux on x64. */
export async function launchChromium(): Promise<Browser> {
  const { path, env } = await find()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    // Everything in the tests comes from this machine: no sandbox, so that it also runs as root in a container.
    chromiumSandbox: false,
    // There is none: a process less, whose pictures are drawn by the CPU.
    args: ['--in-process-gpu'],
    // What goes between its processes is else a file of the disk. It breaks where this memory ends.
    ignoreDefaultArgs: (await hasSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
  })
}

const ROOM_BYTES = 1024 ** 3

async function hasSharedMemory(): Promise<boolean> {
  const room = await statfs('/dev/shm').catch(() => undefined)
  return room !== undefined && room.bavail * room.bsize > ROOM_BYTES
}

async function find(): Promise<Found> {
  const path = process.env.CHROMIUM_PATH
  if (path) return { path, env: {} }
  if (process.platform === 'linux' && process.arch === 'x64') return unpacked()
  throw new Error(
    `There is no Chromium for ${process.platform} ${process.arch} in npm: install Chrome or Chromium and set CHROMIUM_PATH to its program.`,
  )
}

/** Unpacked once for each version, aside and then moved into place: two test files may need it at the same time. */
async function unpacked(): Promise<Found> {
  const { version }: { version: string } = require(join(modules, '@sparticuz/chromium/package.json'))
  const folder = join(modules, '.cache', `chromium-${version}`)
  if (!existsSync(folder)) {
    await mkdir(join(modules, '.cache'), { recursive: true })
    const draft = await mkdtemp(join(modules, '.cache', 'chromium-'))
    await unpackInto(draft)
    await writeFile(join(draft, 'fonts', 'fonts.conf'), fontsOf(folder))
    // Another run may have been faster: its folder is as good.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  }
  return {
    path: join(folder, 'chromium'),
    env: { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), HOME: folder },
  }
}

/** The package unpacks into the folder for temporary files, and its libraries (NSS) only where it believes to be on Lambda. */
async function unpackInto(folder: string): Promise<void> {
  const script = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()"
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: modules,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  })
}

/** The package's own font, and those of the machine for letters that it lacks. */
function fontsOf(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`)
  const cache = `<cachedir>${join(folder, 'cache')}</cachedir>`
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders.join('')}${cache}</fontconfig>`
}
