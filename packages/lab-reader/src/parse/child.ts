import { answerParent } from './answer-parent.ts'
import { foundIn } from './found-in.ts'

await answerParent(foundIn)
