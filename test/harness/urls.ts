import type { DatabaseUrls } from '../../src/platform/database/connect.ts'

function at(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** The same server, another database. */
export function withDatabase(urls: DatabaseUrls, name: string): DatabaseUrls {
  return { ...urls, owner: at(urls.owner, name), app: at(urls.app, name), direct: at(urls.direct, name) }
}

export const databaseOf = (urls: DatabaseUrls): string => new URL(urls.owner).pathname.slice(1)
