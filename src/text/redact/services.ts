import { alphabet, BASE64, NAME, NAMES, PARTS, UPPER_OR_DIGIT, WORD } from "./alphabet.ts";
import { ENCODED, type Mark, type TokenShape, token } from "./finders.ts";

const PATH = alphabet(...NAMES, "/");

const name = (atLeast: number, odd = 1): TokenShape => ({ of: NAME, atLeast, odd });
const word = (atLeast: number, odd = 1): TokenShape => ({ of: WORD, atLeast, odd });
const parts = (atLeast: number, odd = 1): TokenShape => ({ of: PARTS, atLeast, odd });
/** Random in one alphabet of capitals and digits: nothing ordinary is so long. */
const capitals = (atLeast: number): TokenShape => ({ of: UPPER_OR_DIGIT, atLeast, odd: 0 });

/**
 * Prefixes by which well-known services mark their secrets, with the shortest length that such a secret has, its prefix
 * included. What only its length or its neighbours would tell is not here.
 */
const SERVICES: readonly (readonly [prefixes: string, shape: TokenShape])[] = [
  ["sk-", name(24, 2)],
  ["sk_live_ sk_test_ rk_live_ rk_test_ whsec_", word(24)],
  ["ghp_ gho_ ghu_ ghs_ ghr_", name(30)],
  ["github_pat_", name(40)],
  ["glpat- gldt- glrt- glptt- glcbt- glagent- gloas- glimt- glsoat- glffct- glft-", parts(20)],
  ["xoxa- xoxb- xoxc- xoxd- xoxe- xoxp- xoxr- xoxs- xapp-", name(20)],
  ["AKIA ASIA ABIA ACCA", capitals(20)],
  ["AIza", name(35)],
  ["GOCSPX-", name(30)],
  ["ya29.", name(40)],
  ["npm_", word(36)],
  ["pypi-AgE", name(50)],
  ["rubygems_", word(50)],
  ["cio", word(35, 4)],
  ["hf_", word(30)],
  ["r8_", word(36)],
  ["gsk_", word(40)],
  ["xai-", word(40)],
  ["pplx-", word(48)],
  ["dop_v1_ doo_v1_ dor_v1_", word(60)],
  ["shpat_ shpca_ shppa_ shpss_", word(38)],
  ["dckr_pat_", name(32)],
  ["SG.", parts(60)],
  ["AGE-SECRET-KEY-1", capitals(60)],
  ["lin_api_", word(40)],
  ["ops_eyJ", name(60)],
  ["dapi", word(36, 4)],
  ["figd_", name(40)],
  ["glc_eyJ glsa_", name(36)],
  ["hvs. hvb. hvr.", name(30, 4)],
  ["ntn_", word(40)],
  ["PMAK-", name(50)],
  ["sntrys_ sntryu_", parts(60)],
  ["sbp_", word(40)],
  ["ATATT3x ATCTT3x", parts(60)],
  ["tskey-", name(40, 2)],
  ["nfp_", word(36)],
  ["xkeysib-", name(70)],
  ["sq0csp- sq0atp-", name(28)],
  ["dp.pt. dp.ct. dp.st.", parts(40)],
  ["pul-", word(44, 4)],
  ["pscale_tkn_ pscale_pw_ pscale_oauth_", name(40)],
  ["squ_ sqp_ sqa_", word(40)],
  ["HRKU-AA", name(50)],
  ["NRAK-", capitals(32)],
  ["EZAK EZTK", word(54)],
  ["https://hooks.slack.com/services/", { of: PATH, atLeast: 40 }],
  ["https://discord.com/api/webhooks/", { of: PATH, atLeast: 60 }],
];

/** Names behind which a secret stands that nothing else tells, and how its value is joined to them. */
const NAMED: readonly (readonly [names: string, shape: TokenShape])[] = [
  [
    "aws_secret_access_key AWS_SECRET_ACCESS_KEY secretAccessKey SecretAccessKey",
    { of: BASE64, atLeast: 40 },
  ],
  ["_authToken", { of: PARTS, atLeast: 20 }],
  ["AccountKey SharedAccessKey", { of: BASE64, atLeast: 40 }],
];
const JOINS: readonly string[] = ["=", " = ", '="', ": ", '": "', '":"'];

const behind = (text: string, shape: TokenShape): Mark => token(text, { ...shape, keepsMark: true });

/** Everything that is known by how it begins. */
export const TOKENS: readonly Mark[] = [
  ...SERVICES.flatMap(([prefixes, shape]) => prefixes.split(" ").map(text => token(text, shape))),
  ...NAMED.flatMap(([names, shape]) =>
    names.split(" ").flatMap(text => JOINS.map(join => behind(text + join, shape))),
  ),
  ...["Bearer ", "bearer "].map(text => behind(text, { of: PARTS, atLeast: 20 })),
  ...ENCODED,
];
