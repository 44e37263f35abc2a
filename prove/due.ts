import { spawnSync } from 'node:child_process'
import { matchesGlob } from 'node:path'
import type { GateProof } from './proofs.ts'

/** A proof that the gate runs, and why. */
export interface Due {
  proof: GateProof
  because: string
}

/** So many run though none of their files changed. */
const BY_TURNS = 2

/** Whether a proof depends on this file. */
export const dependsOn = ({ name, files, tests = [] }: GateProof, path: string): boolean =>
  [`prove/${name}.ts`, `prove/${name}/**`, ...tests, ...files].some((glob) => matchesGlob(path, glob))

/** What changed, and since when. Undefined files: nobody knows. */
export interface Changes {
  files: readonly string[] | undefined
  /** In words, such as `since a1b2c3d4`. */
  since: string
}

/** The proofs whose files changed, and two more: with each commit the next two of the list. */
export function dueOf(
  proofs: readonly GateProof[],
  { changesFor, commits }: { changesFor: (proof: GateProof) => Changes; commits: number },
): Due[] {
  const reasons = new Map<GateProof, string>()
  for (const proof of proofs) {
    const { files, since } = changesFor(proof)
    const changed = files?.filter((path) => dependsOn(proof, path))
    if (!changed) reasons.set(proof, since)
    else if (changed.length > 0) {
      const others = changed.length > 1 ? ` and ${changed.length - 1} more` : ''
      reasons.set(proof, `${changed[0]}${others} changed ${since}`)
    }
  }
  const first = (commits * BY_TURNS) % proofs.length
  const inTurn = [...proofs.slice(first), ...proofs.slice(0, first)].filter((proof) => !reasons.has(proof))
  for (const proof of inTurn.slice(0, BY_TURNS)) reasons.set(proof, `its turn at commit ${commits}`)
  return proofs.flatMap((proof) => {
    const because = reasons.get(proof)
    return because ? [{ proof, because }] : []
  })
}

const DAY_S = 24 * 60 * 60

/** What git knows of a checkout. */
export interface History {
  /** The number of the commit: how many there are up to it. */
  commits: number
  /**
   * What changed for a proof: since the base that `env` names or the pull request has, else since the proof was last
   * recorded as right, or since the newest commit that is a day older than this one, so that a nightly run has had it.
   */
  changesFor(proof: GateProof): Changes
}

/** Reads the history in `folder`. `recorded`: the commits at which proofs were right, by name. */
export function readHistory(
  folder: string,
  { env, recorded }: { env: NodeJS.ProcessEnv; recorded: Readonly<Record<string, string>> },
): History {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
    return status === 0 ? stdout.trim() : undefined
  }
  const earlier = (name: string | undefined): string | undefined => {
    const commit = name && git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
    return commit && git('merge-base', '--is-ancestor', commit, 'HEAD') !== undefined ? commit : undefined
  }
  const since = (commit: string, why: string): Changes => {
    // Compares with the files as they are, committed or not. A renamed file counts by both names.
    const files = git('diff', '--name-only', '--no-renames', '-z', commit)
    return { files: files?.split('\0').filter(Boolean), since: `since ${commit.slice(0, 8)}, ${why}` }
  }
  const commits = Number(git('rev-list', '--count', 'HEAD') ?? 0)
  if (git('rev-parse', '--is-shallow-repository') !== 'false')
    return { commits, changesFor: () => ({ files: undefined, since: 'this clone has no whole history' }) }
  const named = earlier(env.GATE_BASE)
  const target = env.GITHUB_BASE_REF && git('merge-base', 'HEAD', `origin/${env.GITHUB_BASE_REF}`)
  const given = (named && since(named, 'GATE_BASE')) || (target && since(target, 'where the pull request begins'))
  if (given) return { commits, changesFor: () => given }
  const now = Number(git('log', '-1', '--format=%ct'))
  const dayOld = git('rev-list', '-1', `--before=${now - DAY_S}`, 'HEAD')
  const nightly = dayOld ? since(dayOld, 'a day before') : { files: undefined, since: 'no commit is a day old' }
  return {
    commits,
    changesFor({ name }) {
      const right = earlier(recorded[name])
      const isOlder = right && dayOld && git('merge-base', '--is-ancestor', right, dayOld) !== undefined
      return right && !isOlder ? since(right, 'when it was right') : nightly
    },
  }
}
