import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingsHelp } from '../../src/cli/start.ts'
import { readFolder } from '../../src/docs/sources.ts'
import { loadSettings } from '../../src/service/load-settings.ts'
import { root } from '../harness/sources.ts'

const text = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const { version, files }: { version: string; files: string[] } = JSON.parse(text('package.json'))
const settings = settingsHelp.map(({ name }) => name)
const isSetting = (name: string) => settings.includes(name.replace(/_FILE$/, ''))

interface Service {
  image?: string
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  read_only?: boolean
  cap_drop?: string[]
  deploy?: { replicas: number }
  volumes?: string[]
  profiles?: string[]
  healthcheck?: { test?: string[] }
  logging?: { options: Record<string, string> }
  mem_limit?: string
}
const compose = parse(text('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, unknown>
}

describe('what a release consists of', () => {
  it('has one version everywhere', () => {
    expect(parse(text('deploy/helm/kitlane/Chart.yaml'))).toMatchObject({ version, appVersion: version })
    expect(compose.services.api?.image).toBe(`kitlane:\${KITLANE_VERSION:-${version}}`)
  })

  it('names only settings that there are', () => {
    const named = [
      ...Object.values(compose.services).flatMap(({ image, environment = {} }) =>
        image?.startsWith('kitlane:') ? Object.keys(environment) : [],
      ),
      ...Object.keys(parse(text('deploy/helm/kitlane/values.yaml')).settings),
      ...[...text('deploy/helm/kitlane/templates/_helpers.tpl').matchAll(/name: ([A-Z_]{4,}), value/g)].map(
        ([, name = '']) => name,
      ),
      ...readdirSync(`${root}deploy/systemd`).flatMap((unit) =>
        [...text(`deploy/systemd/${unit}`).matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name),
      ),
    ]
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !isSetting(name))).toEqual([])
  })

  it('says who calls in every plan with something in front: the balancer passes it on, and the nodes believe it', () => {
    const trusted = (value: unknown) =>
      loadSettings({ env: { TRUSTED_PROXIES: String(value) }, flags: {}, envFile: '/nowhere/.env' }).trustedProxies
    const [, frontend = ''] = /^frontend kitlane$([\s\S]*?)^backend/m.exec(text('deploy/ha/haproxy.cfg')) ?? []
    const [, balancer = ''] = /bind (\S+):8080/.exec(frontend) ?? []
    expect(frontend).toMatch(/^ +option forwardfor$/m)
    expect(trusted(/^TRUSTED_PROXIES=(.*)$/m.exec(text('deploy/ha/node.env'))?.[1])).toEqual([balancer])
    expect(trusted(parse(text('deploy/helm/kitlane/values.yaml')).settings.TRUSTED_PROXIES)).toHaveLength(3)
    const [, byDefault] =
      /^\$\{TRUSTED_PROXIES:-(.*)\}$/.exec(compose.services.api?.environment?.TRUSTED_PROXIES ?? '') ?? []
    expect(trusted(byDefault)).toContain('172.16.0.0/12')
  })

  it('gives the login of the owner to the migration and to a restore only', () => {
    const { api, worker, migrate } = compose.services
    const holders = Object.entries(compose.services).filter(([, { secrets }]) => secrets?.includes('owner-url'))
    expect(holders.map(([name]) => name)).toEqual(['migrate', 'restore'])
    expect([api?.deploy?.replicas, api?.command, worker?.command, migrate?.command]).toEqual([
      2,
      ['start', '--no-migrate', '--role', 'api'],
      ['start', '--no-migrate', '--role', 'worker'],
      ['migrate'],
    ])
    for (const node of [api, worker]) {
      expect(node).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
    expect(migrate?.secrets).toEqual(['owner-url'])
    const units = readdirSync(`${root}deploy/systemd`).filter((unit) =>
      text(`deploy/systemd/${unit}`).includes('owner.env'),
    )
    expect(units).toEqual(['kitlane-migrate.service'])
  })

  it('keeps files and backups in volumes that all processes of compose.yaml share', () => {
    for (const node of [compose.services.api, compose.services.worker]) {
      expect(node?.environment).toMatchObject({ FILES_URL: 'file:///files', BACKUP_TO: `\${BACKUP_TO:-/backups}` })
      expect(node?.volumes).toEqual(['files:/files', 'backups:/backups'])
    }
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(['files', 'backups']))
    // A new volume takes its owner from the image.
    expect(text('Dockerfile')).toContain('chown 1000:1000 /data /files /backups')
  })

  it('builds the image from every file of the package, and from the documents that it serves', async () => {
    const sent = text('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const isSent = (path: string) => sent.some((one) => one === path || path.startsWith(`${one}/`))
    // These two are made in the image, the first with the documents.
    const kept = files.filter((path) => path !== 'dist' && path !== 'web/dist')
    const compiled = [
      'openapi.json',
      'openapi-dashboard.json',
      'openapi-operator.json',
      ...(await readFolder(root)).keys(),
    ]
    expect([...kept, ...compiled].filter((path) => !isSent(path))).toEqual([])
    expect(text('Dockerfile')).toContain('npm pack')
  })

  it('has a container that restores a backup, with the keys and the volumes that this needs, and only when it is called', () => {
    const { restore } = compose.services
    expect(restore?.profiles).toEqual(['restore'])
    expect(restore?.secrets).toEqual(['owner-url', 'encryption-key', 'backup-key'])
    expect(restore?.environment).toMatchObject({ FILES_URL: 'file:///files' })
    expect(restore?.volumes).toEqual(['files:/files', 'backups:/backups:ro'])
  })

  it('asks PostgreSQL and PgBouncer by the name of a login, since pg_isready asks nothing where its own account has none', () => {
    const checks = Object.values(compose.services).flatMap(({ healthcheck: { test = [] } = {} }) =>
      test.includes('pg_isready') ? [test] : [],
    )
    expect(checks).toHaveLength(2)
    for (const test of checks) expect(test).toContain('--username')
  })

  it('bounds the log and the memory of every container, so that none takes the disk or the memory of the others', () => {
    for (const [name, { logging, mem_limit: memory }] of Object.entries(compose.services))
      expect([name, logging?.options, memory]).toEqual([
        name,
        { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d$/) },
        expect.stringMatching(/^(\$\{\w+:-)?\d+[gm]\}?$/),
      ])
  })

  it('brings the alerts to Kubernetes, with the job that they name, and scrapes pods that are not ready', () => {
    expect(text('deploy/helm/kitlane/files/alerts.yaml')).toBe(text('ops/prometheus/alerts.yaml'))
    const template = text('deploy/helm/kitlane/templates/monitoring.yaml')
    expect(template).toContain('.Files.Get "files/alerts.yaml"')
    expect(template).toContain('{ targetLabel: job, replacement: kitlane }')
    expect(template).toContain('publishNotReadyAddresses: true')
    const { monitoring } = parse(text('deploy/helm/kitlane/values.yaml'))
    expect([monitoring.serviceMonitor.enabled, monitoring.prometheusRule.enabled]).toEqual([false, false])
    const { properties } = JSON.parse(text('deploy/helm/kitlane/values.schema.json'))
    const known = properties.monitoring.properties
    for (const [name, values] of Object.entries<object>(monitoring))
      expect(Object.keys(known[name].properties).toSorted()).toEqual(Object.keys(values).toSorted())
    // Each value that a template reads is one of these.
    for (const [, name = ''] of template.matchAll(/\{\{-? (?:if |with |toYaml )?\.([a-z]\w*)/g))
      expect(Object.keys({ ...monitoring.serviceMonitor, ...monitoring.prometheusRule })).toContain(name)
  })

  it('makes every secret that compose.yaml hands over', () => {
    const made = [...text('deploy/compose/secrets.sh').matchAll(/> ([\w-]+)$/gm)].map(([, name]) => name)
    const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets)
    expect(new Set(made)).toEqual(new Set(used))
    expect(Object.keys(compose.secrets).toSorted()).toEqual([...new Set(used)].toSorted())
  })
})
