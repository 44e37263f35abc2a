/** The codes about tokens, methods, and the operator in a business: a part of `errorCodes`. */
export const accessErrorCodes = {
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, and does not take this method.',
    remedy: 'Use one of the methods in the header `Allow`. `OPTIONS` asks for them.',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    meaning: 'The token may be used only from some addresses, and the request came from another one.',
    remedy: 'Send it from an address of the list, or have the list of the token changed.',
  },
  SUPPORT_ACCESS_REQUIRED: {
    status: 403,
    meaning: 'A person of the operator needs a support access to this business, and has none at the moment.',
    remedy: 'Ask for one with a reason: `POST /operator/v1/businesses/:businessID/support-accesses`.',
  },
  SUPPORT_ACCESS_NOT_FOUND: {
    status: 404,
    meaning: 'There is no support access with this ID.',
    remedy: 'List the support accesses of the business.',
  },
  TOKEN_REPLACED: {
    status: 409,
    meaning: 'The token was rotated before.',
    remedy: 'Rotate the token that replaced it: `replacedBy` in the list names it.',
  },
  SUPPORT_ACCESS_OPEN: {
    status: 409,
    meaning: 'You have a support access to this business that has not ended, or a request that waits.',
    remedy: 'Use it. To change the reason or the time, end it and ask again.',
  },
  SUPPORT_ACCESS_CLOSED: {
    status: 409,
    meaning: 'The support access has ended, or was approved before.',
    remedy: 'Read `state` in the list. There is nothing left to do.',
  },
} as const
