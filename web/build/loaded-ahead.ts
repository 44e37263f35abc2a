// What the process that waits has loaded of the sources, which takes half of the CPU time of loading all.

/** They import what else is below FOLDERS. */
export const SOURCES = [
  'packages/lab-reader/src/facts/biomarkers.ts',
  'src/domain/translations/translator.ts',
  'src/platform/database/tx.ts',
  'src/platform/http/server.ts',
  'src/platform/jobs/start.ts',
]

/** Nothing below them imports sources from elsewhere. */
const FOLDERS = /^(?:display|packages\/lab-reader\/src\/facts|src\/(?:domain|platform))\//

/** Whether the process that waits may have loaded this file, so that a change of it needs a new one. */
export const isLoadedAhead = (path: string): boolean => FOLDERS.test(path)
