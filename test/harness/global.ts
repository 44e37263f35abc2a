import { basename } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { compiledSources } from '../../deploy/compiled.js'
import { randomBase62 } from '../../src/domain/ids.ts'
import { type DatabaseUrls, databaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { dropDatabase } from './drop-database.ts'
import { root } from './sources.ts'
import { databaseOf, withDatabase } from './urls.ts'

declare module 'vitest' {
  interface ProvidedContext {
    template: DatabaseUrls
    /** Of the whole server, for its superuser. With TEST_DATABASE_URL the login that it names. */
    superUrl: string
    /** The folder with the compiled form of these sources, which processes run. */
    compiled: string
  }
}

let users = 0
let opened: Promise<Cluster> | undefined

/** One migrated database per run, for all its projects; every test file works on a clone of it. The sources are compiled once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const compiled = await compiledSources(root)
  if (!compiled) throw new Error('The sources cannot be compiled here: install the development packages with npm ci.')
  opened ??= url ? useServer(url) : openCluster(basename(compiled))
  users++
  const { template, superUrl, stop } = await opened
  project.provide('template', template)
  project.provide('superUrl', superUrl)
  project.provide('compiled', compiled)
  return async () => {
    if (--users === 0) await stop()
  }
}

/** On the server of TEST_DATABASE_URL: a login that may create databases and roles. */
async function useServer(url: string): Promise<Cluster> {
  const server = databaseUrls(url)
  const admin = new Client({ connectionString: server.owner })
  await admin.connect()
  const name = `kitlane_test_${randomBase62(8).toLowerCase()}`
  await admin.query(`create database ${name}`)
  const template = withDatabase(server, name)
  const { prepareDatabase } = await import('../../src/service/app.ts')
  await prepareDatabase(template, createLogger({ level: 'warn' }))
  return {
    template,
    superUrl: url,
    async stop() {
      const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [
        `${databaseOf(template)}%`,
      ])
      for (const { datname } of rows) await dropDatabase(admin, datname)
      await admin.end()
    },
  }
}
