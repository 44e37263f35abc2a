#!/usr/bin/env node
// Plain JavaScript that Node 16 can parse. It finds Node 24, which runs a package, or what the sources of a checkout compile to.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const sources = join(root, 'src', 'cli', 'main.ts')
const isCheckout = existsSync(sources)
const launcher = fileURLToPath(import.meta.url)
const mark = '--title=kitlane'

if (Number(process.versions.node.split('.')[0]) >= 24) {
  if (process.execArgv.includes(mark)) stopWithLauncher()
  await import(pathToFileURL(await findMain()).href)
} else {
  const node = findNode24(root)
  // From 22.15 on, Node can become another program, so that no launcher stays beside the service. Not on Windows.
  if (node && process.execve) process.execve(node, [node, launcher, ...process.argv.slice(2)], process.env)
  else if (node) run(node)
  else {
    const remedy = isCheckout
      ? `Run "npm ci" in ${root}, which installs Node 24 beside Kitlane, or start it with Node 24.`
      : 'Install Node 24, or run "npm install node@24" where you installed Kitlane, which puts Node 24 beside it.'
    console.error(`Kitlane needs Node 24 and this is Node ${process.versions.node}. ${remedy}`)
    process.exitCode = 1
  }
}

/** What the sources of a checkout compile to, or the sources themselves where they cannot be compiled; `dist` of a package. */
async function findMain() {
  if (!isCheckout) return join(root, 'dist', 'src', 'cli', 'main.js')
  const { compiledSources } = await import('../deploy/compiled.js')
  const compiled = await compiledSources(root)
  if (!compiled) return sources
  nodeModule.enableCompileCache(join(compiled, 'cache'))
  return join(compiled, 'src', 'cli', 'main.js')
}

/** The npm package `node` keeps its binary in node_modules/node/bin; workspaces hoist it to a parent directory. */
function findNode24(start) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let directory = start; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', 'node', 'bin', name)
    if (existsSync(candidate)) return candidate
    if (directory === dirname(directory)) return undefined
  }
}

/** A launcher killed with SIGKILL cannot forward a signal. The closed channel to it then asks for a clean stop. */
function stopWithLauncher() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}

function run(node) {
  const child = spawn(node, [mark, launcher, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
  // A terminal sends Ctrl-C and hang-up to both processes. Forwarding it would look like a second request.
  const fromTerminal = (signal) => process.stdin.isTTY && signal !== 'SIGTERM'
  const forward = (signal) => fromTerminal(signal) || child.kill(signal)
  for (const signal of signals) process.on(signal, forward)

  child.on('error', (error) => {
    console.error(`Node 24 could not be started (${error.code}): ${node}. Install it again, or use Node 24.`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, forward)
    if (!signal) process.exit(code ?? 1)
    // End like the child, so that a supervisor sees the signal. The exit code is for signals that cannot end us.
    process.exitCode = 128 + (constants.signals[signal] ?? 0)
    process.kill(process.pid, signal)
  })
}
