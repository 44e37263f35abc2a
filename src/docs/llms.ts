import type { SiteMap } from './navigation.ts'

/** The index of all pages for language models, as llmstxt.org describes it. `base`: what stands before the paths. */
export function llmsText({ navigation, pages }: SiteMap, base: string): string {
  const lineOf = (path: string, label: string) => {
    const page = pages.find((one) => one.path === path)
    const words = (page?.description ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    return `- [${label}](${base}${path === '' || path.endsWith('/') ? `${path}index` : path}.md)${words && `: ${words}`}`
  }
  const groups = navigation.map(
    ({ title, entries }) => `## ${title}\n\n${entries.map(({ page, label }) => lineOf(page, label)).join('\n')}`,
  )
  const about =
    'Open, self-hosted software for companies that send health test kits to people: orders, kits, results and reports by an API.'
  const machines = `The whole API for programs: [for businesses](${base}openapi.json), [for the operator](${base}openapi-operator.json), [what only people who signed in may do](${base}openapi-dashboard.json).`
  return `# Kitlane\n\n> ${about}\n\n${machines}\n\n${groups.join('\n\n')}\n`
}
