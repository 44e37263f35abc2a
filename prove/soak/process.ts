import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Sample {
  minutes: number
  /** Of the whole process, once garbage is collected. */
  rssMb: number
  /** Before that. */
  mostMb: number
  /** In V8's heaps and its buffers, in use. */
  heapMb: number
}

export interface FileSample {
  minutes: number
  /** Open files, without connections of the two kinds below, which others open and close, or which a pool bounds. */
  files: number
  /** Connections that callers hold open. */
  ofCallers: number
  /** Connections to the database. */
  toDatabase: number
}

/** The resident memory of a process, now, in MB. */
export function rssMbOf(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

const ESTABLISHED = '01'

/** The open files of a process, now, that serves and has its database at these ports. */
export function filesOf(pid: number, since: number, ports: { own: number; database: number }): FileSample {
  const [ofCallers, toDatabase] = [new Set<string>(), new Set<string>()]
  for (const line of readFileSync(`/proc/${pid}/net/tcp`, 'latin1').trim().split('\n').slice(1)) {
    const [, own = '', other = '', state, , , , , , inode = ''] = line.trim().split(/\s+/)
    // One that the other side has closed is in another state.
    if (state !== ESTABLISHED) continue
    if (portOf(own) === ports.own) ofCallers.add(`socket:[${inode}]`)
    if (portOf(other) === ports.database) toDatabase.add(`socket:[${inode}]`)
  }
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => maybeLink(`/proc/${pid}/fd/${name}`))
  const [held, pooled] = [ofCallers, toDatabase].map((kind) => links.filter((link) => kind.has(link)).length)
  return {
    minutes: (performance.now() - since) / 60_000,
    files: links.length - (held ?? 0) - (pooled ?? 0),
    ofCallers: held ?? 0,
    toDatabase: pooled ?? 0,
  }
}

/** Of `0100007F:1F90`. */
const portOf = (address: string) => Number.parseInt(address.slice(address.indexOf(':') + 1), 16)

/** Empty where the file was closed meanwhile. */
function maybeLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/**
 * The slope of a straight line through the samples, per minute. Of each piece of the time the least value counts: memory
 * goes up and down with what waits to be collected, and only what stays is a leak.
 */
export function slopeOf<S extends { minutes: number }>(
  samples: readonly S[],
  value: (sample: S) => number,
  pieces = 12,
): number {
  const size = Math.max(1, Math.floor(samples.length / pieces))
  const points: { x: number; y: number }[] = []
  for (let at = 0; at + size <= samples.length; at += size) {
    const piece = samples.slice(at, at + size)
    const least = piece.reduce((one, other) => (value(other) < value(one) ? other : one))
    points.push({ x: least.minutes, y: value(least) })
  }
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const along = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return along === 0 ? 0 : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / along
}
