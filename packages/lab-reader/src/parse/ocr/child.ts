import { answerParent } from '../answer-parent.ts'
import { recogniseFile } from './recognise.ts'

const [, , maxPages, budgetMs] = process.argv

await answerParent(async (bytes) =>
  JSON.stringify(await recogniseFile(bytes, { maxPages: Number(maxPages), budgetMs: Number(budgetMs) })),
)
