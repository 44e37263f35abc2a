// Proves that compose.yaml runs as docs/install-container.md says: npm run prove:compose -- [--inject-fault] [--record]
// As root, with Debian's docker.io, docker-compose, buildah, mmdebstrap, iptables and age. Docker runs in namespaces of its own.
// --inject-fault gives each container a place of its own for files, which must be found.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Image, makeImages } from './compose/images.ts'
import { walk } from './compose/walk.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const began = performance.now()
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)

// Within the namespaces: the folder with the images.
const { INSIDE: inside, IMAGES: images = '[]' } = process.env
if (inside) await prove(inside, JSON.parse(images))
else await enter()

/** Makes the images, which needs the network, and goes on in namespaces where the ports are free and nothing is reached. */
async function enter(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-compose-'))
  try {
    const images = await makeImages(root, folder, version)
    say('the images are made')
    // Docker takes no mixture of both versions of control groups: it gets the first one only.
    const alone =
      'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; ip link set lo up; exec "$@"'
    const again = [process.execPath, import.meta.filename, ...process.argv.slice(2)]
    const { status } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', alone, 'sh', ...again], {
      stdio: 'inherit',
      env: { ...process.env, INSIDE: folder, IMAGES: JSON.stringify(images) },
    })
    process.exitCode = status ?? 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function prove(folder: string, images: readonly Image[]): Promise<void> {
  const figures = await walk({ root, folder, images, isBroken: values['inject-fault'], say })
  report(figures)
  const mistake = values['inject-fault'] ? 'a place for files in each container' : undefined
  if (values.record) record('compose', { promises: [], figures, mistake })
}
