"""Keys of forges, continuous integration, package registries and code scanners."""

from snaphook.scrub.rule import SecretRule, named, pattern, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"
_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
_GH = rf"(?:{_AN}{{30,255}}|(?=[A-Za-z]{{0,40}}\d){_AN}{{6,255}})"

CODE: tuple[SecretRule, ...] = (
    token("github-pat", "GitHub personal access token", "ghp_", _GH),
    token("github-oauth", "GitHub OAuth token", "gho_", _GH),
    token("github-user", "GitHub user-to-server token", "ghu_", _GH),
    token("github-server", "GitHub server-to-server token", "ghs_", r"[A-Za-z0-9_.\-]{6,400}"),
    token("github-refresh", "GitHub refresh token", "ghr_", _GH),
    token("github-fine-grained", "GitHub fine-grained token", "github_pat_", r"\w{22,255}"),
    token("gitlab-pat", "GitLab personal access token", "glpat-", r"[\w.-]{20,300}"),
    token("gitlab-deploy", "GitLab deploy token", "gldt-", rf"{_AN_}{{20,50}}"),
    token("gitlab-runner", "GitLab runner token", "glrt-", r"[\w.-]{20,50}"),
    token("gitlab-trigger", "GitLab trigger token", "glptt-", rf"{_AN_}{{40}}"),
    token("gitlab-feed", "GitLab feed token", "glft-", rf"{_AN_}{{20,100}}"),
    token("gitlab-mail", "GitLab incoming mail token", "glimt-", rf"{_AN_}{{25}}"),
    token("gitlab-agent", "GitLab agent token", "glagent-", rf"{_AN_}{{50,1024}}"),
    token("gitlab-oauth-secret", "GitLab OAuth secret", "gloas-", rf"{_AN_}{{64}}"),
    token("gitlab-job", "GitLab CI job token", "glcbt-", rf"{_AN_}{{20,60}}"),
    token("gitlab-scim", "GitLab SCIM token", "glsoat-", rf"{_AN_}{{20,60}}"),
    token("gitlab-flags", "GitLab feature flags token", "glffct-", rf"{_AN_}{{20,60}}"),
    token("gitlab-registration", "GitLab runner registration", "GR1348941", rf"{_AN_}{{20,50}}"),
    token("bitbucket-password", "Bitbucket app password", "ATBB", rf"{_AN}{{32}}(?!{_AN})"),
    token("bitbucket-token", "Bitbucket access token", "ATCTT3xFfG", r"[\w=-]{160,200}"),
    named("bitbucket-secret", "Bitbucket client secret", "bitbucket", rf"{_AN_}{{64}}"),
    named("gitea-token", "Gitea or Forgejo token", "gitea forgejo", rf"{_HEX}{{40}}"),
    token(
        "sourcegraph-token", "Sourcegraph token", "sgp_", rf"(?:{_HEX}{{16}}_|local_)?{_HEX}{{40}}"
    ),
    token("circleci-token", "CircleCI token", "CCIPAT_", rf"{_AN}{{20,24}}_{_HEX}{{40}}"),
    named("circleci-legacy", "CircleCI legacy token", "circleci circle_token", rf"{_HEX}{{40}}"),
    named("travis-token", "Travis CI token", "travis", rf"{_AN_}{{22}}", entropy=3.5),
    token("buildkite-token", "Buildkite token", "bkua_", rf"{_HEX}{{40}}"),
    named("drone-token", "Drone token", "drone", rf"{_AN}{{32}}", entropy=3.5),
    named("codecov-token", "Codecov token", "codecov", _UUID),
    named("coveralls-token", "Coveralls token", "coveralls", rf"{_AN}{{33}}", entropy=3.5),
    named("jenkins-token", "Jenkins token", "jenkins", rf"11{_HEX}{{32}}"),
    token("npm-token", "npm token", "npm_", rf"{_AN}{{36}}"),
    pattern(
        "npmrc-token",
        "token in an .npmrc",
        ("_authtoken",),
        r"""(?i:_authtoken)[ \t]{0,4}[= \t][ \t]{0,4}"?([A-Za-z0-9_\-.=+/]{8,400})""",
    ),
    token("pypi-token", "PyPI token", "pypi-AgEIcHlwaS5vcmc", rf"{_AN_}{{50,1000}}"),
    token("testpypi-token", "TestPyPI token", "pypi-AgENdGVzdC5weXBpLm9yZw", rf"{_AN_}{{50,1000}}"),
    token("rubygems-key", "RubyGems key", "rubygems_", rf"{_HEX}{{48}}"),
    token("nuget-key", "NuGet key", "oy2", r"[a-z0-9]{43}(?![a-z0-9])"),
    token("crates-token", "crates.io token", "cio", rf"{_AN}{{32}}(?!{_AN})", entropy=3.5),
    token("docker-pat", "Docker Hub token", "dckr_pat_", rf"{_AN_}{{24,40}}"),
    token("docker-oat", "Docker Hub organisation token", "dckr_oat_", rf"{_AN_}{{24,40}}"),
    token("artifactory-key", "Artifactory key", "AKCp", rf"{_AN}{{60,80}}"),
    token("artifactory-token", "Artifactory reference token", "cmVmdGtu", rf"{_AN}{{50,80}}"),
    token("clojars-token", "Clojars token", "CLOJARS_", rf"{_AN}{{60}}"),
    token("packagist-token", "Packagist token", "packagist_", rf"[a-z]{{3}}_{_HEX}{{68}}"),
    token("jetbrains-token", "JetBrains token", "perm:", r"[\w=.+/-]{20,}\.[\w=.+/-]{2,}"),
    token("sonar-user-token", "SonarQube user token", "squ_", rf"{_HEX}{{40}}"),
    token("sonar-project-token", "SonarQube project token", "sqp_", rf"{_HEX}{{40}}"),
    token("sonar-analysis-token", "SonarQube analysis token", "sqa_", rf"{_HEX}{{40}}"),
    named("sonarcloud-token", "SonarCloud token", "sonar", rf"{_HEX}{{40}}"),
    named("snyk-token", "Snyk token", "snyk", _UUID),
    named("semgrep-token", "Semgrep token", "semgrep", rf"{_HEX}{{64}}"),
    named("cloudsmith-key", "Cloudsmith key", "cloudsmith", rf"{_HEX}{{40}}"),
    named("hexpm-key", "Hex.pm key", "hex_api_key", rf"{_HEX}{{32}}"),
    token("gitguardian-token", "GitGuardian token", "ggtt-v-", rf"{_AN_}{{40,70}}"),
    token("deno-token", "Deno Deploy token", "ddp_", rf"{_AN}{{36,40}}"),
    token("posit-key", "Posit Connect key", "rsc_", rf"{_AN}{{32}}", entropy=3.5),
    token("depot-token", "Depot token", "depot_", rf"(?:org|project)_{_HEX}{{64}}"),
)
