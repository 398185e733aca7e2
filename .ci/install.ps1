# Installs the newest release: irm URL/install.ps1 | iex
# TEDDY_RELEASES is the address of the releases page; the release workflow fills in the default.
$ErrorActionPreference = "Stop"
$releases = if ($env:TEDDY_RELEASES) { $env:TEDDY_RELEASES } else { "@RELEASES@" }
$to = if ($env:TEDDY_INSTALL_DIR) { $env:TEDDY_INSTALL_DIR } else { "$env:LOCALAPPDATA\teddy" }
$name = "teddy-x86_64-pc-windows-msvc"
$dir = New-Item -ItemType Directory -Path (Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid()))
try {
    Invoke-WebRequest "$releases/latest/download/$name.zip" -OutFile "$dir\$name.zip"
    Invoke-WebRequest "$releases/latest/download/$name.zip.sha256" -OutFile "$dir\$name.zip.sha256"
    $expected = (Get-Content "$dir\$name.zip.sha256").Split(" ")[0]
    $actual = (Get-FileHash "$dir\$name.zip" -Algorithm SHA256).Hash.ToLower()
    if ($expected -ne $actual) { throw "checksum mismatch: expected $expected, got $actual" }
    Expand-Archive "$dir\$name.zip" $dir
    New-Item -ItemType Directory -Force $to | Out-Null
    Copy-Item "$dir\$name\teddy.exe" $to -Force
    Write-Output "installed $to\teddy.exe"
} finally {
    Remove-Item -Recurse -Force $dir
}
