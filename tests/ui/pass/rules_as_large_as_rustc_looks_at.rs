//! A rule as large as rustc looks at, and hundreds of small ones, over a struct of a hundred fields: rustc keeps within its
//! own limit for constants.
use crd_runtime::CrdSchema;

/// Declares a struct with these fields. The large rule reads the first two groups twice.
macro_rules! large {
    ($first:ident; $($twice:ident)*; $($once:ident)*) => {
        large!(@small $first $($twice)* $($once)*; {
            rule(
                concat!(
                    "self.", stringify!($first), " > 0 && self.", stringify!($first), " > 100"
                    $(, " && self.", stringify!($twice), " > 1 && self.", stringify!($twice), " > 101")*
                    $(, " && self.", stringify!($once), " > 2")*
                ),
                message = "m"
            )
        });
    };
    (@small $($name:ident)*; {$($rule:tt)*}) => {
        #[derive(CrdSchema)]
        #[crd(
            $($rule)*,
            $(
                rule(concat!("self.", stringify!($name), " > -1 || self.", stringify!($name), " < 1"), message = "m"),
                rule(concat!("self.", stringify!($name), " > -101 || self.", stringify!($name), " < 7"), message = "m"),
                rule(concat!("self.", stringify!($name), " > -201 || self.", stringify!($name), " < 14"), message = "m"),
            )*
        )]
        pub struct Spec {
            $($name: i32,)*
        }
    };
}

large! {
    a_field_of_the_number_0;
    a_field_of_the_number_1 a_field_of_the_number_2 a_field_of_the_number_3 a_field_of_the_number_4
    a_field_of_the_number_5 a_field_of_the_number_6 a_field_of_the_number_7 a_field_of_the_number_8
    a_field_of_the_number_9 a_field_of_the_number_10 a_field_of_the_number_11 a_field_of_the_number_12
    a_field_of_the_number_13 a_field_of_the_number_14 a_field_of_the_number_15 a_field_of_the_number_16
    a_field_of_the_number_17 a_field_of_the_number_18 a_field_of_the_number_19 a_field_of_the_number_20
    a_field_of_the_number_21 a_field_of_the_number_22 a_field_of_the_number_23;
    a_field_of_the_number_24 a_field_of_the_number_25 a_field_of_the_number_26 a_field_of_the_number_27
    a_field_of_the_number_28 a_field_of_the_number_29 a_field_of_the_number_30 a_field_of_the_number_31
    a_field_of_the_number_32 a_field_of_the_number_33 a_field_of_the_number_34 a_field_of_the_number_35
    a_field_of_the_number_36 a_field_of_the_number_37 a_field_of_the_number_38 a_field_of_the_number_39
    a_field_of_the_number_40 a_field_of_the_number_41 a_field_of_the_number_42 a_field_of_the_number_43
    a_field_of_the_number_44 a_field_of_the_number_45 a_field_of_the_number_46 a_field_of_the_number_47
    a_field_of_the_number_48 a_field_of_the_number_49 a_field_of_the_number_50 a_field_of_the_number_51
    a_field_of_the_number_52 a_field_of_the_number_53 a_field_of_the_number_54 a_field_of_the_number_55
    a_field_of_the_number_56 a_field_of_the_number_57 a_field_of_the_number_58 a_field_of_the_number_59
    a_field_of_the_number_60 a_field_of_the_number_61 a_field_of_the_number_62 a_field_of_the_number_63
    a_field_of_the_number_64 a_field_of_the_number_65 a_field_of_the_number_66 a_field_of_the_number_67
    a_field_of_the_number_68 a_field_of_the_number_69 a_field_of_the_number_70 a_field_of_the_number_71
    a_field_of_the_number_72 a_field_of_the_number_73 a_field_of_the_number_74 a_field_of_the_number_75
    a_field_of_the_number_76 a_field_of_the_number_77 a_field_of_the_number_78 a_field_of_the_number_79
    a_field_of_the_number_80 a_field_of_the_number_81 a_field_of_the_number_82 a_field_of_the_number_83
    a_field_of_the_number_84 a_field_of_the_number_85 a_field_of_the_number_86 a_field_of_the_number_87
    a_field_of_the_number_88 a_field_of_the_number_89 a_field_of_the_number_90 a_field_of_the_number_91
    a_field_of_the_number_92 a_field_of_the_number_93 a_field_of_the_number_94 a_field_of_the_number_95
    a_field_of_the_number_96 a_field_of_the_number_97 a_field_of_the_number_98 a_field_of_the_number_99
}

fn main() {}
