import type { ErrorMeaning } from './error-meaning.ts'

/** About sealed boxes, lots and recalls. */
export const stockErrorCodes = {
  BOX_NOT_FOUND: {
    status: 404,
    meaning: 'No box that was received has this code, several have this serial number, or the code cannot be read.',
    remedy: 'Scan the square code of the box, or receive the box first.',
  },
  BOX_REFUSED: {
    status: 409,
    meaning:
      'The box cannot be packed for this kit: it is of another kit type, on another kit, written off, or too close to its expiry.',
    remedy: 'Take another box: the message names the one that expires first.',
  },
  LOT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such lot.',
    remedy: 'Check how it is written: `GET /operator/v1/stock/components` and `/stock/kit-lots` list what is known.',
  },
  LOT_REFUSED: {
    status: 409,
    meaning:
      'The lot is in quarantine, a component of it expires too soon, or another lot of a component expires first.',
    remedy: 'Take another lot: the message says why.',
  },
  RECALL_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such recall.',
    remedy: 'Check the ID. `GET /operator/v1/recalls` lists them.',
  },
  KIT_RECALLED: {
    status: 409,
    meaning:
      'The kit was recalled, or what its sample was tested with: it is not registered, and its report is not published.',
    remedy: '`GET /recalled-kits?kitID=` says what was done. The operator releases a kit that was found to be right.',
  },
  REGISTER_BY_PASSED: {
    status: 409,
    meaning: 'The kit had to be registered by `registerBy`: its box is too close to its expiry.',
    remedy: 'Do not use the kit. Send the person another one.',
  },
  LABEL_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such shipping label, or none that can be printed.',
    remedy: '`GET /operator/v1/labels` lists them. A label is printed once it is bought, until it is voided.',
  },
  LABEL_ACCOUNT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no account with a key at which shipping labels are bought.',
    remedy: 'Save one by `POST /operator/v1/label-accounts/{provider}`, or enter tracking numbers by hand.',
  },
  WAREHOUSE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no warehouse of this name with a key.',
    remedy: 'Save one by `POST /operator/v1/warehouses/{warehouseID}`.',
  },
  WAREHOUSE_ORDER_NOT_FOUND: {
    status: 404,
    meaning: 'No warehouse packs this kit.',
    remedy: '`GET /operator/v1/warehouse-orders` lists those that warehouses pack.',
  },
} as const satisfies Record<string, ErrorMeaning>
