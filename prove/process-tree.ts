import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A process and its children, the parent first. */
export function processTree(parent: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
  return [parent, ...children.map(Number)]
}

function parentOf(pid: string): number | undefined {
  try {
    // The fields after the program's name, which is in brackets, are the state and the parent.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Kills a process with its children, as a power cut does, and waits until they are gone. */
export async function killTree(pid: number): Promise<void> {
  const all = processTree(pid)
  for (const one of all) send(one, 'SIGKILL')
  while (all.some(isAlive)) await delay(20)
}
