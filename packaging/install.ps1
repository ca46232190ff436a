# Installs the command fuzzy-edit @VERSION@ into %LOCALAPPDATA%\Programs\fuzzy-edit, or into the folder that
# FUZZY_EDIT_BIN names, and adds the folder to the user's PATH.
$ErrorActionPreference = 'Stop'

# A function, so that a script that arrives in part does nothing.
function Install-FuzzyEdit {
    $version = '@VERSION@'
    $from = '@FROM@'
    switch ($env:PROCESSOR_ARCHITECTURE) {
        'AMD64' { $target = 'x86_64-pc-windows-gnu'; $sum = '@SHA256 x86_64-pc-windows-gnu@' }
        'ARM64' { $target = 'aarch64-pc-windows-gnullvm'; $sum = '@SHA256 aarch64-pc-windows-gnullvm@' }
        default { throw "there is no command for $_: cargo install fuzzy-edit-cli builds it" }
    }
    $bin = $env:FUZZY_EDIT_BIN
    if (-not $bin) { $bin = Join-Path $env:LOCALAPPDATA 'Programs\fuzzy-edit' }
    $name = "fuzzy-edit-$version-$target"
    $folder = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory -Path $folder | Out-Null
    try {
        $archive = Join-Path $folder "$name.zip"
        Invoke-WebRequest -UseBasicParsing -Uri "$from/$name.zip" -OutFile $archive
        if ((Get-FileHash -Algorithm SHA256 $archive).Hash -ne $sum) { throw "$from/$name.zip is not what was released" }
        Expand-Archive -Path $archive -DestinationPath $folder
        New-Item -ItemType Directory -Force -Path $bin | Out-Null
        Copy-Item -Force (Join-Path $folder "$name\fuzzy-edit.exe") (Join-Path $bin 'fuzzy-edit.exe')
    } finally {
        Remove-Item -Recurse -Force $folder
    }
    Write-Output "installed $(& (Join-Path $bin 'fuzzy-edit.exe') --version) in $bin"
    $path = [Environment]::GetEnvironmentVariable('Path', 'User')
    if (($path -split ';') -notcontains $bin) {
        [Environment]::SetEnvironmentVariable('Path', "$path;$bin".TrimStart(';'), 'User')
        Write-Output "added $bin to PATH: open a new terminal"
    }
}

Install-FuzzyEdit
