import { setTimeout as delay } from 'node:timers/promises'
import { parse } from 'yaml'
import type { Figure } from '../record.ts'
import type { Site } from './use.ts'

const PATIENCE_S = 180

/** What the Prometheus of compose.yaml sees, asked until it has scraped every process. */
export async function scraped({ docker, container, say }: Site, rules: string): Promise<Figure[]> {
  const [network] = Object.values<{ IPAddress: string }>(
    docker.inspect(container('prometheus_1')).NetworkSettings.Networks,
  )
  // biome-ignore lint/suspicious/noExplicitAny: what Prometheus answers to any path
  const ask = async (path: string): Promise<any> => {
    const answer = await fetch(`http://${network?.IPAddress}:9090/api/v1/${path}`)
    return Object(await answer.json()).data
  }
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  let up = 0
  while (up < 3 && seconds() < PATIENCE_S) {
    await delay(1000)
    const { activeTargets }: { activeTargets: { health: string }[] } = await ask('targets?state=active')
    up = activeTargets.filter(({ health }) => health === 'up').length
  }
  say(`Prometheus has scraped ${up} processes after ${seconds()} s`)
  const { groups }: { groups: { rules: unknown[] }[] } = await ask('rules?type=alert')
  const written: { groups: { rules: unknown[] }[] } = parse(rules)
  return [
    { name: 'processes that Prometheus scrapes', actual: up, expected: 3 },
    { name: 'rules of alerts that Prometheus has', actual: count(groups), expected: count(written.groups) },
  ]
}

const count = (groups: { rules: unknown[] }[]) => groups.reduce((sum, { rules }) => sum + rules.length, 0)
