// Run by npm after an install. Plain JavaScript: the node that npm runs on may be older than the one it installs.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

if (isThere('vite')) {
  // Side by side: the dashboard needs no types to be built.
  for (const script of ['build', 'generate:types']) {
    spawn('npm', ['run', script], { stdio: 'inherit', shell: process.platform === 'win32' }).on('exit', (code) => {
      process.exitCode ||= code ?? 1
    })
  }
} else {
  console.log('The dashboard is not built, because Vite is not installed. `npm ci && npm run build` builds it.')
}

function isThere(name) {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}
