// The command line tool `threadlab`.
import ThreadLabCommandLine

Lab.main()
